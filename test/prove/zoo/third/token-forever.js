// Watches three pipelines for a while, with a token of its own from the token exchange.
// The mistake: the token is fetched at the start and kept for ever, so the run ends with the token.
import { assertion, asToken, tokenUrl } from './exchange.js'
import { asList, call, pause, pipelines, runTwin } from './lib.js'
import { send } from './send-http.js'

const type = 'application/x-www-form-urlencoded'
const exchange = () =>
  call(
    async () => send('POST', tokenUrl, (await assertion()).toString(), { bearer: '', type }),
    asToken,
  )

async function watch(bearerFor) {
  for (let round = 1; round <= 5; round++) {
    for (const name of ['web', 'api', 'docs']) {
      const url = `${pipelines}/${name}/builds?per_page=1&exclude_jobs=true`
      const read = (bearer) => call(() => send('GET', url, '', { bearer }), asList)
      const [newest] = await bearerFor(read)
      console.log(round, name, newest?.number ?? '-', newest?.state ?? 'no builds')
    }
    if (round < 5) await pause(1000)
  }
}

async function careless() {
  const { access_token } = await exchange()
  await watch((read) => read(access_token))
}

async function careful() {
  let held
  const fresh = async () => {
    const { access_token, expires_in = 60 } = await exchange()
    // Renewed ahead of its end: a tenth of its life, at most half a minute.
    const margin = Math.min(30, expires_in / 10)
    held = { access_token, until: Date.now() + (expires_in - margin) * 1000 }
  }
  await watch(async (read) => {
    if (!held || Date.now() >= held.until) await fresh()
    try {
      return await read(held.access_token)
    } catch (error) {
      if (error.status !== 401) throw error
      await fresh()
      return read(held.access_token)
    }
  })
}

await runTwin({ careless, careful })
