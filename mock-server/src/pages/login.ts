import { setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { digest } from '../base/digest.js'
import { drawSecret } from '../base/ids.js'
import type { UserRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'
import { problem, sheet } from './answer.js'
import { foreign, posted, returnPath } from './form.js'
import { cookiePath, currentLogin, loginCookie, type PageRequest } from './page-context.js'
import { actions } from './record.js'

/** `GET /oauth/login`: a stand-in that lets one pick a user; it says so. */
export function loginPage(c: PageRequest): Response {
  const { store, urls } = c.env.sandbox
  const users = [...store.state.values('users')]
    .filter(({ active }) => active)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const chosen = currentLogin(c)?.user.id ?? firstAdmin(store.state, users)
  const choices = users.map(({ id, name, email }) => {
    const input = html`<input type="radio" name="user" value="${id}" required${id === chosen && ' checked'}/>`
    const picture = html`<img src="${urls.webUrl}/avatars/${id}.svg" alt="" width="36" height="36"/>`
    return html`<label class="choice">${input}${picture}<span>${name}<small>${email}</small></span></label>`
  })
  const form = html`<form method="post" action="${urls.webUrl}/oauth/login">
    <input type="hidden" name="return_to" value="${c.req.query('return_to')}"/>
    <fieldset><legend>Continue as</legend>${choices}</fieldset>
    ${actions({ Continue: {} })}
  </form>`
  const content = html`
    <p class="notice">This is a stand-in for a real login: pick the person you want to be. There is no password.</p>
    ${users.length > 0 ? form : html`<p>This server has no active user. Seed one first.</p>`}`
  return sheet(c, { title: 'Log in' }, content)
}

/** Whom one most likely wants to be: somebody who may do everything, else the first of the list. */
function firstAdmin(state: ReadonlyState, users: readonly UserRecord[]): string | undefined {
  const admins = new Set(
    [...state.values('members')].filter(({ role, active }) => role === 'admin' && active).map(({ userId }) => userId),
  )
  return (users.find(({ id }) => admins.has(id)) ?? users[0])?.id
}

/** `POST /oauth/login`: a new cookie value at each login, so that none can be planted beforehand. */
export async function logIn(c: PageRequest): Promise<Response> {
  const { sandbox } = c.env
  const fields = await posted(c)
  if (fields instanceof Response) return fields
  const user = sandbox.store.state.get('users', fields.get('user') ?? '')
  if (!user?.active) return problem(c, 403, 'No such user', 'Pick one of the active users.')
  const value = drawSecret(sandbox.ids)
  const record = {
    id: sandbox.ids.uuid('login'),
    digest: digest(value),
    userId: user.id,
    createdAt: sandbox.clock.now(),
  }
  const previous = currentLogin(c)?.record.id
  await sandbox.store.update((tx) => {
    sandbox.oauth.sweep(tx, record.createdAt)
    if (previous) tx.delete('logins', previous)
    tx.put('logins', record)
  })
  setCookie(c, loginCookie, value, {
    httpOnly: true,
    sameSite: 'Lax',
    path: cookiePath(sandbox.urls.webUrl),
    secure: sandbox.urls.webUrl.startsWith('https:'),
  })
  return c.redirect(returnPath(sandbox.urls.webUrl, fields.get('return_to')), 303)
}

export async function logOut(c: PageRequest): Promise<Response> {
  const { sandbox } = c.env
  const refused = foreign(c)
  if (refused) return refused
  const login = currentLogin(c)
  if (login) await sandbox.store.update((tx) => tx.delete('logins', login.record.id))
  return c.redirect(`${sandbox.urls.webUrl}/`, 303)
}

/** Sends an anonymous visitor to the login and back; what the address names is not looked up. */
export function toLogin(c: PageRequest): Response {
  const { search } = new URL(c.req.url)
  const { webUrl } = c.env.sandbox.urls
  const base = new URL(webUrl).pathname.replace(/\/$/, '')
  return c.redirect(`${webUrl}/oauth/login?return_to=${encodeURIComponent(base + c.req.path + search)}`, 303)
}
