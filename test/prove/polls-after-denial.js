/** Polls until there is a token, whatever was said. */
import { setTimeout as sleep } from 'node:timers/promises'
import { errorOf, pollFor, startLogin } from './careful.js'

const login = await startLogin()
let { interval } = login
for (let polls = 0; ; polls++) {
  await sleep(interval * 1000)
  const response = await pollFor(login).catch(() => undefined)
  if (response?.ok) break
  if (polls === 5) throw new Error('no token after 6 polls')
  if (response !== undefined && (await errorOf(response)) === 'slow_down') interval += 5
  await sleep(1000 * Number(response?.headers.get('retry-after') ?? 0))
}
