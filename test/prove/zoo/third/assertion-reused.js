// Gets a token by the token exchange and reads the newest build with it.
// The mistake: the assertion is made outside of the retries, so every try shows the same jti, which is
// spent when only the answer of the first try was lost.
import { assertion, asToken, tokenUrl } from './exchange.js'
import { asList, call, deadline, pipelines, runTwin } from './lib.js'
import { send } from './send-fetch.js'

async function post(form) {
  const init = {
    method: 'POST',
    body: form,
    redirect: 'manual',
    signal: AbortSignal.timeout(deadline),
  }
  const response = await fetch(tokenUrl, init)
  const text = await response.text()
  return { status: response.status, headers: Object.fromEntries(response.headers), text }
}

async function show({ access_token }) {
  const url = `${pipelines}/web/builds?per_page=1&exclude_jobs=true`
  const [newest] = await call(() => send('GET', url, undefined, access_token), asList)
  console.log(newest ? `Build ${newest.number} is ${newest.state}` : 'No builds')
}

async function careless() {
  const form = await assertion()
  await show(await call(() => post(form), asToken))
}

async function careful() {
  await show(await call(async () => post(await assertion()), asToken))
}

await runTwin({ careless, careful })
