/** Logs in by a device code. Careless: polls until there is a token, whatever was said. */
import { careless, errorOf, poll, pollFor, sleep, startLogin } from './lib.js'

async function stubborn(login) {
  let { interval } = login
  for (let polls = 0; polls < 6; polls++) {
    await sleep(interval * 1000)
    const response = await pollFor(login).catch(() => undefined)
    if (response?.ok) return
    if (response !== undefined && (await errorOf(response)) === 'slow_down') interval += 5
    await sleep(1000 * Number(response?.headers.get('retry-after') ?? 0))
  }
  throw new Error('no token after 6 polls')
}

const login = await startLogin()
await (careless ? stubborn(login) : poll(login))
console.log('logged in')
