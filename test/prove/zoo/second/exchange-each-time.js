// A service acts as a user by token exchange and reads the newest build of each pipeline.
// The mistake: it exchanges a new token for every request, although one is good for all of them.
import { asList, main, once, org, patiently } from './careful.js'
import { exchange } from './exchange.js'

const pipelines = ['api', 'docs', 'infra', 'mobile', 'nightly', 'web']
const read = (slug, token) => {
  const headers = { authorization: `Bearer ${token}` }
  const url = `${org}/pipelines/${slug}/builds?per_page=1&exclude_jobs=true`
  return patiently(() => once(url, { headers }), asList)
}
const show = (slug, [build]) => console.log(`${slug} ${build ? build.number : 'has no builds'}`)

async function careless() {
  for (const slug of pipelines) show(slug, await read(slug, await exchange()))
}

async function careful() {
  let token = await exchange()
  for (const slug of pipelines) {
    const builds = await read(slug, token).catch(async (error) => {
      if (error.status !== 401) throw error
      token = await exchange()
      return read(slug, token)
    })
    show(slug, builds)
  }
}

await main({ careless, careful })
