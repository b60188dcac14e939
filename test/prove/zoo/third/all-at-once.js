// Adds up the jobs of the newest forty builds, each of which is read by itself.
// The mistake: all forty requests leave at the same moment.
import { clientOf, pipelines, runTwin } from './lib.js'
import { send } from './send-undici.js'

const { getBuild, getList } = clientOf(send)

const builds = `${pipelines}/web/builds`

async function sum(each) {
  const newest = await getList(`${builds}?per_page=40&exclude_jobs=true`)
  const jobs = await each(
    newest,
    async ({ number }) => (await getBuild(`${builds}/${number}`)).jobs.length,
  )
  const total = jobs.reduce((one, other) => one + other, 0)
  console.log(`${total} jobs in ${newest.length} builds`)
}

const careless = () => sum((items, read) => Promise.all(items.map(read)))

const careful = () =>
  sum(async (items, read) => {
    const results = []
    const queue = items.entries()
    const worker = async () => {
      for (const [at, item] of queue) results[at] = await read(item)
    }
    await Promise.all(Array.from({ length: 4 }, worker))
    return results
  })

await runTwin({ careless, careful })
