/**
 * Naive clients: each makes one mistake and uses the careful client for the rest. `node mistakes.js
 * NAME` runs one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  again,
  askToken,
  errorOf,
  exchange,
  get,
  jsonOf,
  poll,
  pollFor,
  startLogin,
  web,
} from './careful.js'

const headers = { authorization: `Bearer ${process.env.BUILDWIRE_TOKEN}` }
const newest = `${web}?per_page=1`
const create = {
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify({ commit: 'HEAD', branch: 'main', message: 'at least once' }),
}

const clients = {
  /** Gets a token for each call. */
  async 'exchanges-per-call'() {
    for (let call = 0; call < 5; call++) await get(newest, await exchange())
  },

  /** Follows every Link, with its token. */
  async 'follows-any-link'() {
    let url = `${web}?created_to=${new Date().toISOString()}`
    for (let page = 0; url !== undefined && page < 3; page++) {
      const response = await again(() => fetch(url, { headers }))
      await jsonOf(response)
      url = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
  },

  /** Follows redirects with all its headers. */
  async 'follows-redirects'(url = newest) {
    const response = await again(() => fetch(url, { headers, redirect: 'manual' }))
    const location = response.headers.get('location')
    return location === null ? jsonOf(response) : this['follows-redirects'](new URL(location, url))
  },

  /** Treats slow_down like authorization_pending. */
  async 'forgets-slow-down'() {
    const login = await startLogin()
    for (;;) {
      await sleep(login.interval * 1000)
      const response = await pollFor(login).catch(() => undefined)
      const wait = Number(response?.headers.get('retry-after') ?? 0)
      if (response === undefined || wait > 0) await sleep(wait * 1000)
      else if (!['slow_down', 'authorization_pending'].includes(await errorOf(response)))
        return jsonOf(response)
    }
  },

  /** Repeats a read after its own short wait and ignores Retry-After. */
  async 'ignores-retry-after'() {
    const read = async (url) => {
      for (let tries = 0; ; tries++) {
        const response = await fetch(url, { headers }).catch(() => undefined)
        if (response?.ok || tries === 3) return jsonOf(response)
        await sleep(100)
      }
    }
    const [{ number }] = await read(newest)
    await read(`${web}/${number}`)
  },

  /** Repeats a request without end with a token that was refused. */
  async insists() {
    const read = async (url) => {
      for (let tries = 0; ; tries++) {
        const response = await again(() => fetch(url, { headers }))
        if (response.status !== 401 || tries === 5) return jsonOf(response)
        await sleep(50)
      }
    }
    const to = `created_to=${new Date().toISOString()}`
    await read(`${web}?${to}`)
    await read(`${web}?${to}&page=2`)
  },

  /** Throws for a state that it does not know. */
  async 'knows-all-states'() {
    const builds = await get(`${web}?per_page=5`)
    const { state } = await get(`${web}/${builds.at(-1).number}`)
    const known = ['scheduled', 'running', 'passed', 'failed', 'canceled', 'blocked']
    if (!known.includes(state)) throw new Error(`no color for ${state}`)
  },

  /** Sends every request once. */
  'never-again': async () => jsonOf(await fetch(newest, { headers })),

  /** Polls until there is a token, and ignores all errors. */
  async 'polls-after-denial'() {
    const login = await startLogin()
    let { interval } = login
    for (let polls = 0; ; polls++) {
      await sleep(interval * 1000)
      const response = await pollFor(login).catch(() => undefined)
      if (response?.ok) return
      if (polls === 5) throw new Error('no token after 6 polls')
      if (response !== undefined && (await errorOf(response)) === 'slow_down') interval += 5
      await sleep(1000 * Number(response?.headers.get('retry-after') ?? 0))
    }
  },

  /** Sends a refresh token again if the response is lost. */
  async 'refreshes-twice'() {
    const { refresh_token } = await poll(await startLogin())
    const fields = { grant_type: 'refresh_token', client_id: 'demo-terminal', refresh_token }
    const response = await askToken(fields).catch(() => askToken(fields))
    await get(newest, (await jsonOf(response)).access_token)
  },

  /** Repeats a write until it can read a response. */
  async 'retries-writes'() {
    for (let tries = 0; tries < 4; tries++) {
      try {
        const response = await fetch(web, create)
        if (response.ok) return await jsonOf(response)
        await sleep(1100 * Number(response.headers.get('retry-after') ?? 0.1))
      } catch {
        await sleep(100)
      }
    }
  },

  /** Treats the records that it could read as the whole list. */
  async 'takes-half'() {
    const response = await again(() => fetch(`${web}?per_page=20`, { headers }))
    if (!response.ok) throw new Error(`${response.status}`)
    return (await response.text()).split(/(?<=\}),(?=\{"id")/).length
  },

  /** Reads a number from any response. */
  'takes-refusals': async () => (await (await fetch(web, create)).json()).number,

  /** Requests page after page until one is empty. */
  async 'walks-by-number'() {
    for (let page = 1; page <= 3; page++)
      if ((await get(`${web}?page=${page}`)).length === 0) return
  },
}

await clients[process.argv[2]]()
