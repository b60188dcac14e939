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
import { actions, type Place } from './record.js'

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
    [...state.values('members')]
      .filter(({ role, active }) => role === 'admin' && active)
      .map(({ userId }) => userId),
  )
  return (users.find(({ id }) => admins.has(id)) ?? users[0])?.id
}

/**
 * `POST /oauth/login`: a new cookie value at each login, so that none can be planted beforehand.
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
  return c.redirect(
    `${webUrl}/oauth/login?return_to=${encodeURIComponent(base + c.req.path + search)}`,
    303,
  )
}

/**
 * The fields of a form that one of our pages posted; else the page that says why it is not taken.
 */
async function posted(c: PageRequest, back?: Place): Promise<URLSearchParams | Response> {
  const unreadable = 'The form could not be read, or a field was sent twice.'
  return (
    foreign(c, back) ?? (await readForm(c)) ?? problem(c, 400, 'Unreadable form', unreadable, back)
  )
}

function foreign(c: PageRequest, back?: Place): Response | undefined {
  return fromOurPages(c)
    ? undefined
    : problem(c, 403, 'Not from here', 'This form was sent from another site.', back)
}

/** The fields of a form; null when the body is none, or repeats a field. */
async function readForm(c: PageRequest): Promise<URLSearchParams | null> {
  const type = (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return null
  const fields = new URLSearchParams(await c.req.text())
  return new Set(fields.keys()).size === fields.size ? fields : null
}

/** A browser that tells where a form came from must say: from us. */
function fromOurPages(c: PageRequest): boolean {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  if (origin !== undefined && origin !== new URL(c.env.sandbox.urls.webUrl).origin) return false
  return site === undefined || site === 'same-origin' || site === 'none'
}

/**
 * What somebody who is logged in decided by a form of ours `about` something; else the page that
 * says why not.
 */
export async function decided(
  c: PageRequest,
  back: Place,
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

/**
 * The form token: derived from the cookie, so bound to the login, and to what the form is about.
 */
export function formToken(login: Login, about: string): string {
  return createHmac('sha256', login.value).update(about).digest('base64url')
}

/** A path of ours to go back to after logging in; anything else leads to the start page. */
function returnPath(webUrl: string, text: string | null): string {
  const own = new URL(`${webUrl}/`)
  if (!text?.startsWith('/')) return own.href
  const target = URL.canParse(text, own.href) ? new URL(text, own.href) : own
  return target.origin === own.origin && target.pathname.startsWith(own.pathname)
    ? target.href
    : own.href
}
