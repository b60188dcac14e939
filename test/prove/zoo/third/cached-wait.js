// Starts a build and waits until it is over.
// The mistake: reads go through a cache that never forgets, so it sees the first state for ever.
import { clientOf, over, pipelines, runTwin } from './lib.js'
import { send } from './send-got.js'

const { getBuild, start } = clientOf(send)

const cache = new Map()
async function cached(url) {
  if (!cache.has(url)) cache.set(url, await getBuild(url))
  return cache.get(url)
}

async function run(read) {
  const { number } = await start('docs', { message: 'Try the docs' })
  const { state } = await over(`${pipelines}/docs/builds/${number}`, read)
  if (state !== 'passed') throw new Error(`build ${number} is ${state}`)
  console.log(`Build ${number} has passed`)
}

const careless = () => run(cached)
const careful = () => run(getBuild)

await runTwin({ careless, careful })
