// Starts a build, waits for it, and starts the docs when it has passed.
// The mistake: the first job decides, while others still run or fail.
import { clientOf, over, pause, pipelines, runTwin } from './lib.js'
import { send } from './send-got.js'

const { getBuild, start } = clientOf(send)

const build = () => start('api', { message: 'Before the docs' })
const publish = async (number) => {
  const docs = await start('docs', { message: `After build ${number}` })
  console.log(`Build ${number} has passed, build ${docs.number} publishes it`)
}

async function careless() {
  const { number } = await build()
  const jobEnds = ['passed', 'failed', 'timed_out', 'canceled', 'skipped', 'broken', 'expired']
  for (const until = Date.now() + 90_000; ; await pause(1000)) {
    const { jobs } = await getBuild(`${pipelines}/api/builds/${number}`)
    const { state } = jobs.find(({ type }) => type === 'script') ?? {}
    if (state === 'passed') return publish(number)
    if (jobEnds.includes(state)) throw new Error(`build ${number} is ${state}`)
    if (Date.now() > until) throw new Error('the build is not over after 90 seconds')
  }
}

async function careful() {
  const { number } = await build()
  const { state } = await over(`${pipelines}/api/builds/${number}`, getBuild)
  if (state !== 'passed') throw new Error(`build ${number} is ${state}`)
  await publish(number)
}

await runTwin({ careless, careful })
