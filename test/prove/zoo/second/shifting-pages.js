// Prints the numbers of all finished builds of a pipeline, newest first, thirty at a time.
// The mistake: pages shift when a new build arrives between two of them, and it prints the shifted
// builds twice.
import { request } from 'undici'
import { authorization, deadline, getAll, main, org, pause } from './careful.js'

const first = `${org}/pipelines/api/builds?state=finished&per_page=30&exclude_jobs=true`

async function careless() {
  for (let url = first; url; ) {
    const { statusCode, headers, body } = await request(url, {
      headers: { authorization },
      signal: AbortSignal.timeout(deadline),
    })
    if (statusCode !== 200) throw new Error(`The service answered ${statusCode}`)
    for (const build of await body.json()) console.log(build.number)
    url = /<([^>]+)>;\s*rel="next"/.exec(headers.link ?? '')?.[1]
    await pause(20)
  }
}

async function careful() {
  const builds = await getAll(first, send)
  for (const build of builds) console.log(build.number)
}

/** One request by undici, in the form that the helpers take. */
async function send(url) {
  const { statusCode, headers, body } = await request(url, {
    headers: { authorization },
    signal: AbortSignal.timeout(deadline),
  })
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return { status: statusCode, headers: new Headers(flat), text: await body.text() }
}

await main({ careless, careful })
