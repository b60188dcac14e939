import { openRenewable, type Renewable } from '../support/renewable.js'
import type { StressTask } from './task.js'

const names = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`)

/**
 * Makes contexts in parallel, then logs in to each in parallel. Returns the contexts that are not
 * stored.
 */
export async function parallelLogins(shop: Renewable, count: number): Promise<string | null> {
  const made = await Promise.all(
    names(count).map((name) => shop.ci(['context', 'set', name, '--base-url', shop.baseUrl])),
  )
  const unmade = made.find(({ code }) => code !== 0)
  if (unmade !== undefined) return `context set: ${unmade.code} ${unmade.stderr}`
  const contexts = Object.keys((await shop.read('config')).contexts).length
  if (contexts < count) return `${contexts} of ${count} contexts are kept`
  const login = (name: string) =>
    shop.ci(['auth', 'login', '--with-token', '--context', name], { stdin: shop.token })
  const done = await Promise.all(names(count).map(login))
  const undone = done.find(({ code }) => code !== 0)
  if (undone !== undefined) return `auth login: ${undone.code} ${undone.stderr}`
  const { credentials } = await shop.read('credentials')
  const kept = names(count).filter((name) => credentials[name]?.access_token === shop.token)
  return kept.length < count ? `${kept.length} of ${count} logins are kept` : null
}

/**
 * Renews the logins of many contexts in parallel, with several commands each. Returns the logins
 * that are not usable afterwards.
 */
export async function parallelRenewals(shop: Renewable, count: number): Promise<string | null> {
  await shop.logIn(names(count))
  const list = (name: string) => shop.ci(['builds', 'list', '-p', 'acme/web', '--context', name])
  for (const when of ['at first', 'once more']) {
    const runs = await Promise.all(names(count).map(list))
    const failed = runs.find(({ code }) => code !== 0)
    if (failed !== undefined) return `${when}: ${failed.code} ${failed.stderr}`
    await shop.expire()
  }
  const { stdout, stderr } = await shop.ci(['auth', 'status', '--all', '--json'])
  const usable = (JSON.parse(stdout) as { loggedIn: boolean }[]).filter(
    ({ loggedIn }) => loggedIn,
  ).length
  return usable < count ? `${usable} of ${count} logins are usable: ${stdout} ${stderr}` : null
}

/** 50 contexts and logins, and 30 renewals, in parallel with one configuration. */
export const run: StressTask = async ({ within, requests = 5, log }) => {
  let rounds = 0
  let failure: string | undefined
  while (rounds < requests && failure === undefined && within()) {
    await using shop = await openRenewable()
    failure = (await parallelLogins(shop, 50)) ?? (await parallelRenewals(shop, 30)) ?? undefined
    rounds += 1
    log(`${rounds} rounds`)
  }
  return { figures: { rounds, logins: rounds * 50, renewals: rounds * 90 }, failure }
}
