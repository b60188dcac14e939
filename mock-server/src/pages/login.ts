import { createHmac, timingSafeEqual } from 'node:crypto'
import { setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { digest } from '../base/digest.js'
import { drawSecret } from '../base/ids.js'
import type { UserRecord } from '../records/records.js'
import type { ReadonlyState } from '../store/store.js'
import { problem, sheet } from './answer.js'
import {
  cookiePath,
  currentLogin,
  type Login,
  loginCookie,
  type PageRequest,
} from './page-context.js'
import { actions, type PageLink } from './record.js'

/** `GET /oauth/login`: a user picker in the place of a login; the page says so. */
export function loginPage(c: PageRequest): Response {
  const { store, urls } = c.env.sandbox
  const users = [...store.state.values('users')]
    .filter(({ active }) => active)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const chosen = currentLogin(c)?.user.id ?? preselectedUser(store.state, users)
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
  return sheet(c, { title: 'Log in', isStep: true }, content)
}

/**
 * The user that the form preselects: an admin of the first organization of the seed that has one,
 * else the first user.
 */
function preselectedUser(state: ReadonlyState, users: readonly UserRecord[]): string | undefined {
  const all = [...state.values('members')].filter(({ role, active }) => role === 'admin' && active)
  const adminsOf = (organizationId: string) =>
    all.filter((member) => member.organizationId === organizationId).map(({ userId }) => userId)
  const organizations = [...state.values('organizations')].map(({ id }) => adminsOf(id))
  const admins = new Set(organizations.find((each) => each.length > 0))
  return (users.find(({ id }) => admins.has(id)) ?? users[0])?.id
}

/**
 * `POST /oauth/login`: sets a new cookie value, so that an attacker cannot choose it (fixation).
 */
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
  const refused = refuseForeign(c)
  if (refused) return refused
  const login = currentLogin(c)
  if (login) await sandbox.store.update((tx) => tx.delete('logins', login.record.id))
  return c.redirect(`${sandbox.urls.webUrl}/`, 303)
}

/** Redirects to the login, which redirects back. The records of the path are not looked up. */
export function toLogin(c: PageRequest): Response {
  const { search } = new URL(c.req.url)
  const { webUrl } = c.env.sandbox.urls
  const base = new URL(webUrl).pathname.replace(/\/$/, '')
  return c.redirect(
    `${webUrl}/oauth/login?return_to=${encodeURIComponent(base + c.req.path + search)}`,
    303,
  )
}

/** The fields of a form that one of our pages posted, or the page with the error. */
async function posted(c: PageRequest, back?: PageLink): Promise<URLSearchParams | Response> {
  const unreadable = 'The form could not be read, or a field was sent twice.'
  return (
    refuseForeign(c, back) ??
    (await readForm(c)) ??
    problem(c, 400, 'Unreadable form', unreadable, back)
  )
}

function refuseForeign(c: PageRequest, back?: PageLink): Response | undefined {
  return fromOurPages(c)
    ? undefined
    : problem(c, 403, 'Not from here', 'This form was sent from another site.', back)
}

/** The fields of a form; null if the body is not a form, or repeats a field. */
async function readForm(c: PageRequest): Promise<URLSearchParams | null> {
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return null
  const fields = new URLSearchParams(await c.req.text())
  return new Set(fields.keys()).size === fields.size ? fields : null
}

/** Whether the form came from our origin, as far as the browser sends Origin or Sec-Fetch-Site. */
function fromOurPages(c: PageRequest): boolean {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  if (origin !== undefined && origin !== new URL(c.env.sandbox.urls.webUrl).origin) return false
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * The login and the fields of a form whose token fits the login and the subject of `about`, or the
 * page with the error.
 */
export async function decided(
  c: PageRequest,
  back: PageLink,
  about: (fields: URLSearchParams, login: Login) => string | Response,
): Promise<{ readonly login: Login; readonly fields: URLSearchParams } | Response> {
  const login = currentLogin(c)
  if (!login) {
    const way = { href: `${c.env.sandbox.urls.webUrl}/oauth/login`, text: 'Log in' }
    return problem(c, 401, 'Log in first', 'Only somebody who is logged in can decide this.', way)
  }
  const fields = await posted(c, back)
  if (fields instanceof Response) return fields
  const subject = about(fields, login)
  if (subject instanceof Response) return subject
  const expected = Buffer.from(formToken(login, subject))
  const given = Buffer.from(fields.get('form_token') ?? '')
  if (given.length === expected.length && timingSafeEqual(given, expected)) return { login, fields }
  return problem(c, 403, 'This form is not yours', 'Open the page again and decide there.', back)
}

/** A form token is derived from the cookie and the subject, so it is valid for these only. */
export function formToken(login: Login, about: string): string {
  return createHmac('sha256', login.value).update(about).digest('base64url')
}

/** Where to go after the login: a URL under `webUrl`, else the start page. */
function returnPath(webUrl: string, text: string | null): string {
  const home = new URL(`${webUrl}/`)
  if (!text?.startsWith('/')) return home.href

  const target = URL.canParse(text, home.href) ? new URL(text, home.href) : home
  const isOurs = target.origin === home.origin && target.pathname.startsWith(home.pathname)
  return isOurs ? target.href : home.href
}
