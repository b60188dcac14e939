import type { Context as HonoContext } from 'hono'
import { getCookie } from 'hono/cookie'
import { digest } from '../base/digest.js'
import { isOver } from '../domain/page-login.js'
import { recordUrls } from '../present/urls.js'
import type { GrantRecord, LoginRecord, UserRecord } from '../records/records.js'
import type { SandboxContext } from '../request/exchange.js'

/** What the outer app hands to every page. */
export interface PageBindings {
  readonly sandbox: SandboxContext
  readonly ip: string
  /** The path as the server reads it: decoded once, without the sandbox's prefix. */
  readonly path: string
  /** When a grant was last used, exactly: the store knows it to the minute only. */
  lastUsed(grant: GrantRecord): number | null
}

export type PageEnvironment = { Bindings: PageBindings }
export type PageRequest = HonoContext<PageEnvironment>

export const loginCookie = 'buildwire_login'

export interface Login {
  readonly record: LoginRecord
  /** Of the cookie; the store knows its digest alone. */
  readonly value: string
  readonly user: UserRecord
}

/** The login behind the cookie; void once it is too old or its user is deactivated. */
export function currentLogin(c: PageRequest): Login | undefined {
  const value = getCookie(c, loginCookie)
  if (!value) return undefined
  const { store, clock } = c.env.sandbox
  const { state } = store
  const record = state.find('loginByDigest', digest(value))
  const user = record && state.get('users', record.userId)
  return record && user?.active && !isOver(record, clock.now()) ? { record, value, user } : undefined
}

/** Where the cookie is valid: the sandbox's own part of the web origin. */
export const cookiePath = (webUrl: string): string => new URL(`${webUrl}/`).pathname

/** What the address of a page names, as far as it is there, and the crumbs of its organization. */
export function named(c: PageRequest) {
  const { store, urls } = c.env.sandbox
  const { state } = store
  const { org = '', pipeline: slug = '', number = '', suite = '', id = '' } = c.req.param() as Record<string, string>
  const organization = state.find('organizationBySlug', org)
  const pipeline = organization && state.find('pipelineBySlug', organization.id, slug)
  const isNumber = /^[1-9][0-9]{0,15}$/.test(number)
  return {
    organization,
    pipeline,
    build: pipeline && isNumber ? state.find('buildByNumber', pipeline.id, Number(number)) : undefined,
    suite: organization && state.find('suiteBySlug', organization.id, suite),
    id: id.toLowerCase(),
    crumbs: [
      { href: `${urls.webUrl}/`, text: 'Organizations' },
      { href: recordUrls(urls).organizationWeb(org), text: organization?.name ?? '' },
    ],
  }
}
