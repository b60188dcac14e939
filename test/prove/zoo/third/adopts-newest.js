// Starts a build to see that it can be started, and cancels it again.
// The mistake: when the answer is lost it takes the newest build for its own, and cancels it.
import { randomUUID } from 'node:crypto'
import { asBuild, call, clientOf, pipelines, Refused, runTwin } from './lib.js'
import { send } from './send-fetch.js'

const { cancel, getList } = clientOf(send)

const builds = `${pipelines}/docs/builds`

async function probe(lookUp) {
  const mark = randomUUID()
  const body = {
    commit: 'HEAD',
    branch: 'main',
    message: 'Only a probe',
    meta_data: { request: mark },
  }
  let build
  try {
    build = await call(
      () => send('POST', builds, body),
      asBuild,
      (status) => status === 429,
    )
  } catch (error) {
    if (error instanceof Refused && error.status < 500) throw error
    const [found] = await getList(`${builds}?${lookUp(mark)}&exclude_jobs=true`)
    if (!found) throw new Error(`${error.message}; whether a build was started is not known`)
    build = found
  }
  await cancel(`${builds}/${build.number}`)
  console.log(`Builds can be started: ${build.number} was, and is canceled`)
}

const careless = () => probe(() => 'per_page=1')
const careful = () => probe((mark) => `meta_data[request]=${mark}`)

await runTwin({ careless, careful })
