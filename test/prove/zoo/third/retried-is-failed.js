// Says how many of the newest thirty builds are red, for a chart.
// The mistake: it reads the retried runs of jobs too, and a build counts as red that has any failed run,
// although the job passed when it was run again.
import { clientOf, pipelines, runTwin } from './lib.js'
import { send } from './send-got.js'

const { getList } = clientOf(send)

const builds = `${pipelines}/web/builds?state=finished&per_page=30`

async function careless() {
  const finished = await getList(`${builds}&include_retried_jobs=true`)
  const red = finished.filter(({ jobs }) => jobs.some(({ state }) => state === 'failed'))
  console.log(`${red.length} of ${finished.length} builds are red`)
}

async function careful() {
  const finished = await getList(`${builds}&exclude_jobs=true`)
  const red = finished.filter(({ state }) => state === 'failed')
  console.log(`${red.length} of ${finished.length} builds are red`)
}

await runTwin({ careless, careful })
