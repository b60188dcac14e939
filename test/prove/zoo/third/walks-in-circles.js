// Counts the builds of a pipeline, page by page.
// The mistake: it takes the first link of the header for the next page, which on the last page leads
// back: it walks in circles until its limit of 25 pages and counts builds many times.
import { asList, base, call, nextOf, pipelines, runTwin } from './lib.js'
import { send } from './send-axios.js'

async function count(follow, most) {
  let builds = 0
  const before = encodeURIComponent(new Date().toISOString())
  let url = `${pipelines}/web/builds?created_to=${before}&exclude_jobs=true&per_page=20`
  for (let pages = 0; url && pages < most; pages++) {
    const here = url
    const once = () => send('GET', here)
    const [page, next] = await call(once, (answer) => [asList(answer), follow(answer)])
    builds += page.length
    url = next
  }
  console.log(`${builds} builds`)
}

const firstLink = ({ headers }) => {
  const link = /<([^>]*)>/.exec((headers.link ?? '').split(',')[0])?.[1]
  if (link && new URL(link).origin !== new URL(base).origin)
    throw new Error('the next page lies elsewhere')
  return link
}

const careless = () => count(firstLink, 25)
const careful = () => count(nextOf, Infinity)

await runTwin({ careless, careful })
