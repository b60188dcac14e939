import { strict as assert } from 'node:assert'
import type { KeyObject } from 'node:crypto'
import type { Control } from '@buildwire/mock-server'
import type { Capability } from './capabilities.js'

/** An answer with its body read. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: rows look into answers of every shape
  readonly json: any
}

export interface Asked {
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
  /** A scope that it may ask for. */
  readonly scope: string
}

/** An application of the token exchange, and whom it acts for. */
export interface ExchangeApplication {
  readonly client_id: string
  readonly key: KeyObject
  readonly alg: 'RS256' | 'ES256'
  readonly kid?: string | undefined
  readonly subject_token: string
  /** A scope that its tokens may have. */
  readonly scope: string
}

/** The server under test, as rows see it: some door of ours, or a URL. */
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
  /** Only our own server can be steered. */
  readonly control?: Control | undefined
  send(url: string, init: RequestInit): Promise<Response>
}

/** One requirement. */
export interface Row {
  readonly id: string
  /** Where the requirement stands: `api`, `wire/paging`, `RFC 8628 §3.5`. */
  readonly section: string
  /** must (the documented API or an RFC), should, or a decision of ours. */
  readonly level: 'M' | 'S' | 'D'
  readonly title: string
  /**
   * Rows with `seed` know the records of `seed.ts`; without needs a row holds for every server of
   * this kind.
   */
  readonly needs?: Capability | readonly Capability[] | undefined
  run(target: Target): Promise<void>
}

/** `ID level section: title`, as in `PL8 D oauth/polling: approved beats too fast`. */
export type RowHead = `${string} ${Row['level']} ${string}: ${string}`

/** One row of these needs. */
export function row(needs: NonNullable<Row['needs']>, head: RowHead, run: Row['run']): Row {
  const [, id = '', level = '', section = '', title = ''] =
    /^(\S+) ([MSD]) ([^:]+): (.+)$/.exec(head) ?? []
  assert.ok(title, `"${head}" is no head of a row`)
  return { id, level: level as Row['level'], section, title, needs, run }
}

/** Rows of the same needs, each under its head. */
export const rowsOf = (
  needs: NonNullable<Row['needs']>,
  told: Readonly<Record<RowHead, Row['run']>>,
): readonly Row[] => Object.entries(told).map(([head, run]) => row(needs, head as RowHead, run))

/** Thrown by a row that finds nothing to look at: it neither holds nor fails. */
export class NotApplicable extends Error {}

/** Sends a request: a path of the API, or a whole URL. */
export async function ask(target: Target, where: string, asked: Asked = {}): Promise<Answered> {
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

/** Sends what OAuth endpoints get: a POST without a token. */
export const post = (
  target: Target,
  url: string,
  form: Asked['form'],
  more: Asked = {},
): Promise<Answered> =>
  ask(target, url, { method: 'POST', as: null, ...(form && { form }), ...more })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Holds an answer to a status, with the body in the message when it fails. */
export function expectStatus(answer: Answered, status: number): void {
  assert.ok(
    answer.status === status,
    `status ${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`,
  )
}

/** Holds some members of a value. */
export function expectParts(value: object, parts: Readonly<Record<string, unknown>>): void {
  assert.deepEqual(
    Object.fromEntries(Object.keys(parts).map((key) => [key, Reflect.get(value, key)])),
    parts,
  )
}

/** Holds one member of each item of a list. */
// biome-ignore lint/suspicious/noExplicitAny: items of every shape
export const expectEach = (items: readonly any[], key: string, values: readonly unknown[]): void =>
  assert.deepEqual(
    items.map((item) => item[key]),
    values,
  )

/** Holds some headers of an answer; null: it is not there. */
export const expectHeaders = (
  { headers }: Answered,
  some: Readonly<Record<string, string | null>>,
): void =>
  assert.deepEqual(
    Object.fromEntries(Object.keys(some).map((name) => [name, headers.get(name)])),
    some,
  )

/** Holds a refusal to its status and exact message. */
export function expectRefusal(answer: Answered, status: number, message: string): void {
  expectStatus(answer, status)
  assert.equal(answer.json?.message, message)
}

/** Holds a refusal to the fields that it names. */
export function expectInvalid(answer: Answered, ...errors: readonly object[]): void {
  expectRefusal(answer, 422, 'Validation Failed')
  assert.deepEqual(answer.json.errors, errors)
}

export interface Link {
  readonly url: string
  readonly rel: string
}

/** The links of a `Link` header in order. */
export const links = (answer: Answered): readonly Link[] =>
  [...(answer.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(
    ([, url = '', rel = '']) => ({
      url,
      rel,
    }),
  )

export const rels = (answer: Answered): string =>
  links(answer)
    .map(({ rel }) => rel)
    .join(' ')
