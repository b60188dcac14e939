// Starts two builds of a branch and cancels the newest one of that branch, which was a mistake.
// The mistake: it takes the last of the list for the newest, while the list begins with it.
import { clientOf, pipelines, runTwin } from './lib.js'
import { send } from './send-fetch.js'

const { cancel, getList, start } = clientOf(send)

async function undo(pick) {
  const branch = 'try/last-is-newest'
  await start('docs', { branch, message: 'A good one' })
  await start('docs', { branch, message: 'Pushed by mistake' })
  const builds = `${pipelines}/docs/builds`
  const all = await getList(`${builds}?branch=${encodeURIComponent(branch)}&exclude_jobs=true`)
  const build = pick(all)
  if (!build) throw new Error('the branch has no build')
  await cancel(`${builds}/${build.number}`)
  console.log(`Build ${build.number} is canceled: ${build.message}`)
}

const careless = () => undo((builds) => builds.at(-1))
const careful = () => undo((builds) => builds.toSorted((a, b) => b.number - a.number)[0])

await runTwin({ careless, careful })
