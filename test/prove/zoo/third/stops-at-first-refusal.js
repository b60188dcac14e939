// Starts three builds of a branch and cancels them all, since the branch goes away.
// The mistake: the first refusal ends the loop, so that the builds after it run on.
import { clientOf, pipelines, runTwin } from './lib.js'
import { send } from './send-axios.js'

const { cancel, getBuild, start } = clientOf(send)

const ends = ['passed', 'failed', 'canceled', 'skipped', 'not_run']

const builds = `${pipelines}/docs/builds`
const branch = 'try/stops-at-first-refusal'

async function begin() {
  const started = []
  for (const message of ['One', 'Two', 'Three'])
    started.push(await start('docs', { branch, message }))
  return started.map(({ number }) => `${builds}/${number}`)
}

async function careless() {
  for (const url of await begin()) await cancel(url)
  console.log('All builds of the branch are canceled')
}

async function careful() {
  const left = []
  for (const url of await begin())
    try {
      await cancel(url)
    } catch (error) {
      // One that is over needs no cancel. Whatever else went wrong, the others come first.
      const build = await getBuild(url).catch(() => undefined)
      if (!ends.includes(build?.state)) left.push(`${url.split('/').at(-1)} (${error.message})`)
    }
  if (left.length > 0) throw new Error(`these may still run: ${left.join(', ')}`)
  console.log('No build of the branch runs any more')
}

await runTwin({ careless, careful })
