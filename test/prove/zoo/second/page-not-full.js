// Counts the passed builds of a pipeline, page by page.
// The mistake: it counts page numbers and stops at a page that is not full, although the Link
// header names a next one.
import { request } from 'undici'
import { authorization, deadline, getAll, main, org } from './careful.js'

const size = 50
const url = `${org}/pipelines/api/builds?state=passed&exclude_jobs=true&per_page=${size}`

async function page(address) {
  const { statusCode, headers, body } = await request(address, {
    headers: { authorization },
    signal: AbortSignal.timeout(deadline),
  })
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return { status: statusCode, headers: new Headers(flat), text: await body.text() }
}

async function careless() {
  const numbers = new Set()
  for (let number = 1, full = true; full; number++) {
    const { status, text } = await page(`${url}&page=${number}`)
    if (status !== 200) throw new Error(`Page ${number}: the service answered ${status}`)
    const builds = JSON.parse(text)
    for (const build of builds) numbers.add(build.number)
    full = builds.length === size
  }
  console.log(`${numbers.size} builds have passed`)
}

async function careful() {
  const builds = await getAll(url, page)
  console.log(`${builds.length} builds have passed`)
}

await main({ careless, careful })
