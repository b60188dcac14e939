// Prints the states of the last ten builds of a pipeline.
// The mistake: it tries again after a fixed short time and ignores how long the service asked it to
// wait.
import ky from 'ky'
import { asList, authorization, deadline, main, org, patiently } from './careful.js'

const url = `${org}/pipelines/nightly/builds?per_page=10&exclude_jobs=true&exclude_pipeline=true`
const print = (builds) => {
  for (const { number, state } of builds) console.log(number, state)
}

async function careless() {
  const retry = { limit: 8, afterStatusCodes: [], delay: () => 100 }
  print(await ky.get(url, { headers: { authorization }, timeout: deadline, retry }).json())
}

async function careful() {
  const send = async () => {
    const response = await ky.get(url, {
      headers: { authorization },
      signal: AbortSignal.timeout(deadline),
      timeout: false,
      throwHttpErrors: false,
      retry: 0,
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  print(await patiently(send, asList))
}

await main({ careless, careful })
