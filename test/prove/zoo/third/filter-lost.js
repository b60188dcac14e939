// Counts the passed builds of a pipeline, page by page.
// The mistake: of the link to the next page it takes the number only, and asks for that page without
// the filter, so that all builds count from the second page on.
import { asList, call, nextOf, pipelines, runTwin } from './lib.js'
import { send } from './send-undici.js'

const builds = `${pipelines}/web/builds`
const size = 10

async function count(following) {
  const found = new Set()
  const before = encodeURIComponent(new Date().toISOString())
  let url = `${builds}?state=passed&created_to=${before}&exclude_jobs=true&per_page=${size}`
  while (url) {
    const here = url
    const once = () => send('GET', here)
    const [page, next] = await call(once, (answer) => [asList(answer), nextOf(answer)])
    for (const { id } of page) found.add(id)
    url = next && following(next)
  }
  console.log(`${found.size} builds have passed`)
}

const careless = () =>
  count((next) => {
    const page = new URL(next).searchParams.get('page')
    return `${builds}?exclude_jobs=true&per_page=${size}&page=${page}`
  })

const careful = () => count((next) => next)

await runTwin({ careless, careful })
