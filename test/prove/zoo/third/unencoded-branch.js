// Starts a build of a branch and counts the builds of that branch, to know whether it may go.
// The mistake: the name goes into the query as it is, where + means a space, and nothing is found.
import { clientOf, pipelines, runTwin } from './lib.js'
import { send } from './send-http.js'

const { getList, start } = clientOf((method, url, body) =>
  send(method, url, body && JSON.stringify(body)),
)

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
