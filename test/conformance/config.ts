import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse, YAMLParseError } from 'yaml'
import type { DeviceApplication, ExchangeApplication } from './target.js'

/** The configuration of a server: a YAML or JSON file, described in docs/conformance.md. */
export interface Config {
  /**
   * The reference server's control API. If it is given, the kit makes a sandbox with its own
   * records and needs no other records.
   */
  readonly control?: { readonly url: string; readonly token: string } | undefined
  readonly baseUrl?: string | undefined
  readonly authUrl?: string | undefined
  readonly webUrl?: string | undefined
  readonly vendor?: string | undefined
  readonly organization: string
  readonly pipeline: string
  readonly suite?: string | undefined
  readonly secondOrganization?: string | undefined
  readonly allowWrites: boolean
  readonly tokens: Readonly<Record<string, string>>
  readonly applications: {
    readonly device?: DeviceApplication | undefined
    readonly confidential?: DeviceApplication | undefined
    readonly exchange?: ExchangeApplication | undefined
  }
}

/** A configuration that cannot be used. The message names the key and never a value. */
export class ConfigError extends Error {}

/** Reads one value of a configuration; `at` is its path. @throws ConfigError */
type Reader<T> = (value: unknown, at: string) => T

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (value, at) =>
    value === undefined || value === null ? undefined : read(value, at)

/**
 * An object with these members and no others: a typing error must not silently remove rows from a
 * run.
 */
const record =
  <T extends object>(members: { readonly [K in keyof T]: Reader<T[K]> }): Reader<T> =>
  (value, at) => {
    if (!isObject(value)) throw new ConfigError(`${at || 'the configuration'} must be an object`)
    const place = (key: string) => (at === '' ? key : `${at}.${key}`)
    const names = Object.keys(members)
    const unknown = Object.keys(value).find((key) => !names.includes(key))
    if (unknown !== undefined)
      throw new ConfigError(`${place(unknown)} is unknown here; known are ${names.join(', ')}`)
    const read = Object.entries<Reader<unknown>>(members).map(([key, of]) => [
      key,
      of(value[key], place(key)),
    ])
    return Object.fromEntries(read.filter(([, one]) => one !== undefined)) as T
  }

const flag: Reader<boolean> = (value = false, at) => {
  if (typeof value === 'boolean') return value
  throw new ConfigError(`${at} must be true or false`)
}

/**
 * Reads a configuration. A value `{ env: NAME }` is replaced by the environment variable NAME, so
 * that the file needs no secrets. `privateKeyFile` is a path relative to the folder of the file.
 *
 * @throws ConfigError naming the key.
 */
export function readConfig(file: string, env: NodeJS.ProcessEnv): Config {
  const text: Reader<string> = (value, at) => {
    if (value === undefined || value === null) throw new ConfigError(`${at} is missing`)
    if (typeof value === 'string' && value !== '') return value
    if (!isObject(value)) throw new ConfigError(`${at} must be a text that is not empty`)
    const { env: name, ...others } = value
    if (typeof name !== 'string' || Object.keys(others).length > 0)
      throw new ConfigError(`${at} must be a text or { env: NAME }`)
    const found = env[name]
    if (!found) throw new ConfigError(`${at}: the variable ${name} is not set`)
    return found
  }
  const url: Reader<string> = (value, at) => checkedUrl(text(value, at), at)
  const token: Reader<string> = (value, at) => {
    const found = text(value, at)
    if (/^[\x21-\x7e]+$/.test(found)) return found
    throw new ConfigError(`${at} holds characters that no header can carry`)
  }
  const device = record<DeviceApplication>({
    client_id: text,
    client_secret: optional(text),
    scope: text,
  })
  const named = {
    client_id: text,
    privateKeyFile: text,
    kid: optional(text),
    subject_token: text,
    scope: text,
  }
  const exchange: Reader<ExchangeApplication> = (value, at) => {
    const { privateKeyFile, ...application } = record(named)(value, at)
    const key = keyOf(resolve(dirname(file), privateKeyFile), `${at}.privateKeyFile`)
    return { ...application, key, alg: key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256' }
  }
  const urls = { baseUrl: optional(url), authUrl: optional(url), webUrl: optional(url) }
  const control = record({ url, token })
  const root = parseFile(file)
  if (isObject(root) && root['control'] !== undefined) {
    const steered = record({ ...urls, control })(root, '')
    return {
      ...steered,
      organization: '',
      pipeline: '',
      allowWrites: true,
      tokens: {},
      applications: {},
    }
  }
  const {
    tokens,
    applications = {},
    ...config
  } = record({
    ...urls,
    vendor: optional(text),
    organization: text,
    pipeline: text,
    suite: optional(text),
    secondOrganization: optional(text),
    allowWrites: flag,
    control: optional(control),
    tokens: record({ admin: token, reader: optional(token), bare: optional(token) }),
    applications: optional(
      record({
        device: optional(device),
        confidential: optional(device),
        exchange: optional(exchange),
      }),
    ),
  })(root, '')
  return { ...config, tokens: tokens as Config['tokens'], applications }
}

function parseFile(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError(`${file} ${reasonOf(error)}`, { cause: error })
  }
}

/** The parser's own message quotes the line, which may contain a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof YAMLParseError))
    return `cannot be read (${(error as NodeJS.ErrnoException).code})`
  const [start] = error.linePos ?? []
  return start === undefined
    ? 'is no YAML or JSON'
    : `is no YAML or JSON: line ${start.line}, column ${start.col}`
}

/**
 * Accepts only http and https URLs without a password.
 *
 * @throws ConfigError naming the key.
 */
export function checkedUrl(url: string, at: string): string {
  const { protocol = '', username = '', password = '' } = URL.canParse(url) ? new URL(url) : {}
  if (/^https?:$/.test(protocol) && username + password === '') return url
  throw new ConfigError(`${at} must be an http or https URL without a user`)
}

function keyOf(file: string, at: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(file))
  } catch {
    throw new ConfigError(`${at}: ${file} is no readable private key`)
  }
}
