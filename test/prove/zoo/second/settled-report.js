// Counts the failed builds of three pipelines in parallel, for a daily report.
// The mistake: a read that failed counts as a pipeline without failures, and the exit code is 0.
import { authorization, deadline, getAll, main, org } from './careful.js'

const pipelines = ['api', 'docs', 'infra']
const failed = (slug) =>
  `${org}/pipelines/${slug}/builds?state=failed&exclude_jobs=true&per_page=100`

const report = (lists) => {
  for (const [index, slug] of pipelines.entries())
    console.log(`${slug}: ${lists[index].length} failed`)
}

async function careless() {
  const results = await Promise.allSettled(
    pipelines.map(async (slug) => {
      const signal = AbortSignal.timeout(deadline)
      const response = await fetch(failed(slug), { headers: { authorization }, signal })
      if (!response.ok) throw new Error(`${slug}: ${response.status}`)
      return response.json()
    }),
  )
  report(results.map((result) => (result.status === 'fulfilled' ? result.value : [])))
}

async function careful() {
  report(await Promise.all(pipelines.map((slug) => getAll(failed(slug)))))
}

await main({ careless, careful })
