import { createHmac, timingSafeEqual } from 'node:crypto'
import { problem } from './answer.js'
import { currentLogin, type Login, type PageRequest } from './page-context.js'
import type { Place } from './record.js'

/** The fields of a form that one of our pages posted; else the page that says why it is not taken. */
export async function posted(c: PageRequest, back?: Place): Promise<URLSearchParams | Response> {
  const unreadable = 'The form could not be read, or a field was sent twice.'
  return foreign(c, back) ?? (await readForm(c)) ?? problem(c, 400, 'Unreadable form', unreadable, back)
}

export const foreign = (c: PageRequest, back?: Place): Response | undefined =>
  fromOurPages(c) ? undefined : problem(c, 403, 'Not from here', 'This form was sent from another site.', back)

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
 * What somebody who is logged in decided by a form of ours; else the page that says why it is not taken.
 *
 * @param about What the form has to be about, or the page that says that there is nothing.
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

/** The form token: derived from the cookie, so bound to the login, and to what the form is about. */
export const formToken = (login: Login, about: string): string =>
  createHmac('sha256', login.value).update(about).digest('base64url')

/** A path of ours to go back to after logging in; anything else leads to the start page. */
export function returnPath(webUrl: string, text: string | null): string {
  const own = new URL(`${webUrl}/`)
  if (!text?.startsWith('/')) return own.href
  const target = URL.canParse(text, own.href) ? new URL(text, own.href) : own
  return target.origin === own.origin && target.pathname.startsWith(own.pathname) ? target.href : own.href
}
