/** Logs in by a device code. Careless: takes slow_down for another word for "not yet". */
import { careless, errorOf, jsonOf, poll, pollFor, sleep, startLogin } from './lib.js'

async function steady(login) {
  for (;;) {
    await sleep(login.interval * 1000)
    const response = await pollFor(login).catch(() => undefined)
    const wait = Number(response?.headers.get('retry-after') ?? 0)
    if (response === undefined || wait > 0) await sleep(wait * 1000)
    else if (!['slow_down', 'authorization_pending'].includes(await errorOf(response)))
      return jsonOf(response)
  }
}

const login = await startLogin()
await (careless ? steady(login) : poll(login))
console.log('logged in')
