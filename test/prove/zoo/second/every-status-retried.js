// Starts a build of a branch.
// The mistake: it takes every refusal for a passing one, and repeats requests that can never
// succeed.
import got from 'got'
import { asBuild, authorization, deadline, getList, main, org, Refused } from './careful.js'

const builds = `${org}/pipelines/infra/builds`
const marker = `${Date.now()}-${process.pid}`
const json = { commit: 'HEAD', branch: 'main', message: 'On demand', meta_data: { marker } }

async function careless() {
  const client = got.extend({
    headers: { authorization },
    timeout: { request: deadline },
    retry: {
      limit: 12,
      methods: ['POST'],
      statusCodes: [400, 401, 403, 404, 409, 422, 429],
      errorCodes: [],
      calculateDelay: ({ computedValue }) => Math.min(computedValue, 500),
    },
  })
  const build = await client.post(builds, { json }).json()
  console.log(build.number)
}

async function careful() {
  const client = got.extend({
    headers: { authorization },
    timeout: { request: deadline },
    throwHttpErrors: false,
    retry: {
      limit: 3,
      methods: ['POST'],
      statusCodes: [429],
      errorCodes: [],
      maxRetryAfter: 60_000,
    },
  })
  try {
    const { statusCode, headers, body } = await client.post(builds, { json })
    if (statusCode >= 300) throw new Refused(statusCode, body)
    const flat = Object.entries(headers).map(([name, value]) => [name, String(value)])
    const build = asBuild({ headers: new Headers(flat), text: body })
    return console.log(build.number)
  } catch (error) {
    if (error.status < 500) throw error
    const [found] = await getList(`${builds}?meta_data[marker]=${marker}&exclude_jobs=true`)
    if (!found) throw new Error(`${error.message} (and no new build is to be seen)`)
    console.log(found.number)
  }
}

await main({ careless, careful })
