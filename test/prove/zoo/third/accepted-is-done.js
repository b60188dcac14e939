// Runs the failed jobs of the newest failed build again, and says how they ended.
// The mistake: it takes 202 (queued) for the end, and says that all is well before a job has run.
import { asBuild, call, clientOf, pause, pipelines, Refused, runTwin } from './lib.js'
import { send } from './send-fetch.js'

const { getBuild, getList } = clientOf(send)

const builds = `${pipelines}/api/builds`
const moving = [
  'pending',
  'waiting',
  'blocked',
  'scheduled',
  'assigned',
  'accepted',
  'running',
  'limited',
  'timing_out',
  'canceling',
]
const stillMoves = (build) => build.jobs.some(({ state }) => moving.includes(state))

/** Queues the failed jobs of the newest failed build, once. */
async function again() {
  const [failed] = await getList(`${builds}?state=failed&per_page=1&exclude_jobs=true`)
  if (!failed) throw new Error('no build has failed')
  const url = `${builds}/${failed.number}`
  try {
    const once = () => send('PUT', `${url}/retry_failed_jobs`, { states: 'failed' })
    const { retried_jobs_count } = await call(once, asBuild, (status) => status === 429)
    if (retried_jobs_count === 0) throw new Refused({ status: 202, text: 'nothing to run again' })
  } catch (error) {
    if (error instanceof Refused && error.status < 500) throw error
    if (!stillMoves(await getBuild(url))) throw error
  }
  return { url, number: failed.number }
}

async function careless() {
  const { number } = await again()
  console.log(`Build ${number}: the failed jobs were run again and are fine now`)
}

async function careful() {
  const { url, number } = await again()
  for (const until = Date.now() + 90_000; ; await pause(1000)) {
    const build = await getBuild(url)
    if (build.blocked) throw new Error(`build ${number} waits at a gate for a person`)
    if (!stillMoves(build) && build.state !== 'running' && build.state !== 'scheduled') {
      if (build.state !== 'passed') return console.log(`Build ${number} is ${build.state} again`)
      break
    }
    if (Date.now() > until) throw new Error(`build ${number} is not over after 90 seconds`)
  }
  console.log(`Build ${number}: the failed jobs were run again and are fine now`)
}

await runTwin({ careless, careful })
