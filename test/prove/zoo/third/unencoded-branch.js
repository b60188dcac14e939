// Starts a build of a branch and counts the builds of that branch, to know whether it may go.
// The mistake: the name goes into the query as it is, where + means a space, and nothing is found.
import { randomUUID } from 'node:crypto'
import { asBuild, call, clientOf, pipelines, Refused, runTwin } from './lib.js'
import { send } from './send-http.js'

const { getList } = clientOf(send)

/** Starts one build. If the answer is lost, it looks for that build by its own mark and starts no other. */
async function start(pipeline, fields) {
  const request = randomUUID()
  const builds = `${pipelines}/${pipeline}/builds`
  const body = { commit: 'HEAD', branch: 'main', ...fields, meta_data: { request } }
  try {
    return await call(
      () => send('POST', builds, JSON.stringify(body)),
      asBuild,
      (status) => status === 429,
    )
  } catch (error) {
    if (error instanceof Refused && error.status < 500) throw error
    const [found] = await getList(`${builds}?meta_data[request]=${request}&exclude_jobs=true`)
    if (found) return found
    throw new Error(`${error.message}; whether a build was started is not known`)
  }
}

const branch = 'try/c++20'

async function count(name) {
  await start('docs', { branch, message: 'Once more' })
  const found = await getList(
    `${pipelines}/docs/builds?branch=${name}&exclude_jobs=true&per_page=100`,
  )
  console.log(
    `${branch}: ${found.length === 0 ? 'never built, may go' : `built ${found.length} times`}`,
  )
}

const careless = () => count(branch)
const careful = () => count(encodeURIComponent(branch))

await runTwin({ careless, careful })
