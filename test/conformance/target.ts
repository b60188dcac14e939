import { strict as assert } from 'node:assert'
import type { KeyObject } from 'node:crypto'
import type { Control } from '@buildwire/mock-server'
import type { Capability } from './capabilities.js'

/** A response with its body. */
export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON, or undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: rows look into answers of every shape
  readonly json: any
}

export interface ApiRequest {
  readonly method?: string
  /** Name of a token of the seed, or null for no credentials; default `admin`. */
  readonly as?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string
  readonly form?: Readonly<Record<string, string>>
}

/** An application of the device grant. */
export interface DeviceApplication {
  readonly client_id: string
  readonly client_secret?: string | undefined
  /** A scope that the application may request. */
  readonly scope: string
}

/** An application of the token exchange, and the user that it acts for. */
export interface ExchangeApplication {
  readonly client_id: string
  readonly key: KeyObject
  readonly alg: 'RS256' | 'ES256'
  readonly kid?: string | undefined
  readonly subject_token: string
  /** A scope that its tokens may have. */
  readonly scope: string
}

/** The server under test: our server through an adapter, or a server at a URL. */
export interface Target {
  readonly name: string
  readonly baseUrl: string
  readonly authUrl: string
  readonly webUrl: string
  readonly vendor: string
  readonly org: string
  readonly pipeline: string
  readonly suite?: string | undefined
  readonly secondOrganization?: string | undefined
  readonly tokens: Readonly<Record<string, string>>
  readonly applications: {
    readonly device?: DeviceApplication | undefined
    readonly confidential?: DeviceApplication | undefined
    readonly exchange?: ExchangeApplication | undefined
  }
  readonly allowWrites: boolean
  /** The control API, which only our own server has. */
  readonly control?: Control | undefined
  send(url: string, init: RequestInit): Promise<Response>
}

/** One requirement of the API, with its test. */
export interface ConformanceRow {
  readonly id: string
  /** The source of the requirement: `api`, `wire/paging`, `RFC 8628 §3.5`. */
  readonly section: string
  /** must (the documented API or an RFC), should, or a decision of this project. */
  readonly level: 'M' | 'S' | 'D'
  readonly title: string
  /**
   * Rows with `seed` expect the records of `seed.ts`. Rows without needs are for every server of
   * this API.
   */
  readonly needs?: Capability | readonly Capability[] | undefined
  run(target: Target): Promise<void>
}

/** `ID level section: title`, as in `PL8 D oauth/polling: approved beats too fast`. */
export type RowHead = `${string} ${ConformanceRow['level']} ${string}: ${string}`

/** One row with these needs. */
export function row(
  needs: NonNullable<ConformanceRow['needs']>,
  head: RowHead,
  run: ConformanceRow['run'],
): ConformanceRow {
  const [, id = '', level = '', section = '', title = ''] =
    /^(\S+) ([MSD]) ([^:]+): (.+)$/.exec(head) ?? []
  assert.ok(title, `"${head}" is not a head of a row`)
  return { id, level: level as ConformanceRow['level'], section, title, needs, run }
}

/** Rows with the same needs, each under its head. */
export const rowsOf = (
  needs: NonNullable<ConformanceRow['needs']>,
  checks: Readonly<Record<RowHead, ConformanceRow['run']>>,
): readonly ConformanceRow[] =>
  Object.entries(checks).map(([head, run]) => row(needs, head as RowHead, run))

/** Thrown by a row that finds no record to test: it has neither passed nor failed. */
export class NotApplicable extends Error {}

/** Sends a request to a path of the API, or to a whole URL. */
export async function ask(
  target: Target,
  where: string,
  asked: ApiRequest = {},
): Promise<ApiResponse> {
  const { method = 'GET', as = 'admin', headers = {}, json, body, form } = asked
  const token = as === null ? undefined : (target.tokens[as] ?? as)
  const content =
    json !== undefined
      ? { body: JSON.stringify(json), type: 'application/json' }
      : form !== undefined
        ? { body: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' }
        : { body, type: undefined }
  const response = await target.send(where.startsWith('/') ? `${target.baseUrl}${where}` : where, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(content.type !== undefined && { 'content-type': content.type }),
      ...headers,
    },
    ...(content.body !== undefined && { body: content.body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

/** Sends a request to an OAuth endpoint: a POST without a token. */
export const post = (
  target: Target,
  url: string,
  form: ApiRequest['form'],
  more: ApiRequest = {},
): Promise<ApiResponse> =>
  ask(target, url, { method: 'POST', as: null, ...(form && { form }), ...more })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Checks the status of a response; the message of a failure has the body. */
export function expectStatus(answer: ApiResponse, status: number): void {
  assert.ok(
    answer.status === status,
    `status ${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`,
  )
}

/** Checks some members of a value. */
export function expectParts(value: object, parts: Readonly<Record<string, unknown>>): void {
  assert.deepEqual(
    Object.fromEntries(Object.keys(parts).map((key) => [key, Reflect.get(value, key)])),
    parts,
  )
}

/** Checks one member of each item of a list. */
// biome-ignore lint/suspicious/noExplicitAny: items of every shape
export const expectEach = (items: readonly any[], key: string, values: readonly unknown[]): void =>
  assert.deepEqual(
    items.map((item) => item[key]),
    values,
  )

/** Checks some headers of a response; null means that the header must be absent. */
export const expectHeaders = (
  { headers }: ApiResponse,
  some: Readonly<Record<string, string | null>>,
): void =>
  assert.deepEqual(
    Object.fromEntries(Object.keys(some).map((name) => [name, headers.get(name)])),
    some,
  )

/** Checks a refusal: its status and exact message. */
export function expectRefusal(answer: ApiResponse, status: number, message: string): void {
  expectStatus(answer, status)
  assert.equal(answer.json?.message, message)
}

/** Checks a refusal: the fields that it names. */
export function expectInvalid(answer: ApiResponse, ...errors: readonly object[]): void {
  expectRefusal(answer, 422, 'Validation Failed')
  assert.deepEqual(answer.json.errors, errors)
}

export interface PageLink {
  readonly url: string
  readonly rel: string
}

/** The links of a `Link` header, in order. */
export const links = (answer: ApiResponse): readonly PageLink[] =>
  [...(answer.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(
    ([, url = '', rel = '']) => ({
      url,
      rel,
    }),
  )

export const rels = (answer: ApiResponse): string =>
  links(answer)
    .map(({ rel }) => rel)
    .join(' ')
