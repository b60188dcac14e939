/** Takes slow_down for another word for "not yet". */
import { setTimeout as sleep } from 'node:timers/promises'
import { errorOf, jsonOf, pollFor, startLogin } from './careful.js'

const login = await startLogin()
for (;;) {
  await sleep(login.interval * 1000)
  const response = await pollFor(login).catch(() => undefined)
  const wait = Number(response?.headers.get('retry-after') ?? 0)
  if (response === undefined || wait > 0) {
    await sleep(wait * 1000)
    continue
  }
  if (!['slow_down', 'authorization_pending'].includes(await errorOf(response))) {
    await jsonOf(response)
    break
  }
}
