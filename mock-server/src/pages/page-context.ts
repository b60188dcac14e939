import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { digest } from '../base/digest.js'
import { isOver } from '../domain/page-login.js'
import { recordUrls } from '../present/urls.js'
import type { LoginRecord, UserRecord } from '../records/records.js'
import type { LiveExchange } from '../sandbox/sandbox.js'

/** Every route gets the exchange; its path has no prefix of the sandbox. */
export type AppEnvironment = { Bindings: LiveExchange }
export type PageRequest = HonoContext<AppEnvironment>

export function getPath(_request: Request, context: { readonly env?: unknown } = {}): string {
  return (context.env as LiveExchange).path
}

export const loginCookie = 'buildwire_login'

export interface Login {
  readonly record: LoginRecord
  /** The value of the cookie; the store has its digest only. */
  readonly value: string
  readonly user: UserRecord
}

/** The login of the cookie; undefined if it has expired or its user is not active. */
export function currentLogin(c: PageRequest): Login | undefined {
  const value = getCookie(c, loginCookie)
  if (!value) return undefined
  const { store, clock } = c.env.sandbox
  const { state } = store
  const record = state.find('loginByDigest', digest(value))
  const user = record && state.get('users', record.userId)
  if (!record || !user?.active || isOver(record, clock.now())) return undefined
  return { record, value, user }
}

/** The path of the cookie: it is valid in this sandbox only. */
export function cookiePath(webUrl: string): string {
  return new URL(`${webUrl}/`).pathname
}

/** The records that the URL of a page names, as far as they exist, and the links to them. */
export function named(c: PageRequest) {
  const { store, urls, clock } = c.env.sandbox
  const { state } = store
  const {
    org = '',
    pipeline: slug = '',
    number = '',
    suite: test = '',
    id = '',
  } = c.req.param() as Record<string, string>
  const web = recordUrls(urls)
  const organization = state.find('organizationBySlug', org)
  const pipeline = organization && state.find('pipelineBySlug', organization.id, slug)
  const isNumber = /^[1-9][0-9]{0,15}$/.test(number)
  const build =
    pipeline && isNumber ? state.find('buildByNumber', pipeline.id, Number(number)) : undefined
  const suite = organization && state.find('suiteBySlug', organization.id, test)
  const links = [
    { href: `${urls.webUrl}/`, text: 'Organizations' },
    { href: web.organizationWeb(org), text: organization?.name },
    { href: web.pipelineWeb(org, slug), text: pipeline?.name },
    { href: web.buildWeb(org, slug, Number(number)), text: build && `#${number}` },
    { href: web.suiteWeb(org, test), text: suite?.name },
  ].flatMap(({ href, text }) => (text === undefined ? [] : [{ href, text }]))
  // Without `id` the last link is the page itself.
  const crumbs = id === '' ? links.slice(0, -1) : links
  return {
    state,
    now: clock.now(),
    web,
    organization,
    pipeline,
    build,
    suite,
    id: id.toLowerCase(),
    crumbs,
  }
}
