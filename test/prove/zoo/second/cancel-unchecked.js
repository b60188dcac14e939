// Cancels the running builds of a pipeline, for instance before maintenance.
// The mistake: it does not look at the answer, so a refused cancel counts as done and the exit code
// is 0.
import {
  asBuild,
  authorization,
  getAll,
  getBuild,
  main,
  once,
  org,
  over,
  patiently,
} from './careful.js'

const builds = `${org}/pipelines/api/builds`
const running = `${builds}?state=running&exclude_jobs=true&per_page=100`

async function careless() {
  const response = await fetch(running, { headers: { authorization } })
  if (!response.ok) throw new Error(`No list: ${response.status}`)
  for (const { number } of await response.json()) {
    await fetch(`${builds}/${number}/cancel`, { method: 'PUT', headers: { authorization } })
    console.log(`Canceled ${number}`)
  }
}

async function careful() {
  for (const { number } of await getAll(running)) {
    const url = `${builds}/${number}`
    try {
      await patiently(() => once(`${url}/cancel`, { method: 'PUT' }), asBuild)
    } catch (error) {
      // An earlier try may have done it: then the build says so.
      const { state } = await getBuild(url)
      if (state !== 'canceled' && state !== 'canceling') throw error
    }
    const { state } = await over(url)
    if (state !== 'canceled') throw new Error(`Build ${number} was not canceled: it is ${state}`)
    console.log(`Canceled ${number}`)
  }
}

await main({ careless, careful })
