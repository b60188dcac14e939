import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse, YAMLParseError } from 'yaml'
import type { DeviceApplication, ExchangeApplication } from './target.js'

/** What the kit must know about a server: a YAML or JSON file, described in docs/conformance.md. */
export interface Config {
  /** The reference server's control API. With it the kit makes a sandbox with records of its own and needs no others. */
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

/** A configuration that cannot be used; the message names the key and never a value. */
export class ConfigError extends Error {}

type Shape = Readonly<Record<string, unknown>>

const text = ['baseUrl', 'authUrl', 'webUrl', 'vendor', 'suite', 'secondOrganization'] as const
const tokenNames = ['admin', 'reader', 'bare']

/**
 * Reads a configuration. A value `{ env: NAME }` stands for the variable NAME, so that no secret need stand in the file;
 * `privateKeyFile` is a path from the file's folder.
 *
 * @throws ConfigError naming the key.
 */
export function readConfig(file: string, env: NodeJS.ProcessEnv): Config {
  const root = object(parseFile(file), file)
  const known = [...text, 'organization', 'pipeline', 'allowWrites', 'tokens', 'applications', 'control']
  closed(root, known, '')
  const string = (holder: Shape, key: string, at: string): string => {
    const value = optional(holder, key, at)
    if (value === undefined) throw new ConfigError(`${at}${key} is missing`)
    return value
  }
  const optional = (holder: Shape, key: string, at: string): string | undefined => {
    const value = holder[key]
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string' && value !== '') return value
    if (typeof value !== 'object') throw new ConfigError(`${at}${key} must be a text that is not empty`)
    const { env: name, ...others } = object(value, `${at}${key}`)
    if (typeof name !== 'string' || Object.keys(others).length > 0)
      throw new ConfigError(`${at}${key} must be a text or { env: NAME }`)
    const found = env[name]
    if (!found) throw new ConfigError(`${at}${key}: the variable ${name} is not set`)
    return found
  }
  const token = (holder: Shape, key: string, at: string): string => {
    const value = string(holder, key, at)
    if (!/^[\x21-\x7e]+$/.test(value)) throw new ConfigError(`${at}${key} holds characters that no header can carry`)
    return value
  }
  const device = (value: unknown, at: string): DeviceApplication | undefined => {
    if (value === undefined) return undefined
    const given = object(value, at)
    closed(given, ['client_id', 'client_secret', 'scope'], `${at}.`)
    return {
      client_id: string(given, 'client_id', `${at}.`),
      client_secret: optional(given, 'client_secret', `${at}.`),
      scope: string(given, 'scope', `${at}.`),
    }
  }
  const exchange = (value: unknown, at: string): ExchangeApplication | undefined => {
    if (value === undefined) return undefined
    const given = object(value, at)
    closed(given, ['client_id', 'privateKeyFile', 'kid', 'subject_token', 'scope'], `${at}.`)
    const key = keyOf(resolve(dirname(file), string(given, 'privateKeyFile', `${at}.`)), `${at}.privateKeyFile`)
    return {
      client_id: string(given, 'client_id', `${at}.`),
      key,
      alg: key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256',
      kid: optional(given, 'kid', `${at}.`),
      subject_token: string(given, 'subject_token', `${at}.`),
      scope: string(given, 'scope', `${at}.`),
    }
  }
  const texts = Object.fromEntries(
    text.map((key) => {
      const value = optional(root, key, '')
      return [key, key.endsWith('Url') && value !== undefined ? checkedUrl(value, key) : value]
    }),
  )
  if (root['control'] !== undefined) {
    closed(root, ['baseUrl', 'authUrl', 'webUrl', 'control'], '')
    const control = object(root['control'], 'control')
    closed(control, ['url', 'token'], 'control.')
    const steered = {
      url: checkedUrl(string(control, 'url', 'control.'), 'control.url'),
      token: token(control, 'token', 'control.'),
    }
    return {
      ...texts,
      control: steered,
      organization: '',
      pipeline: '',
      allowWrites: true,
      tokens: {},
      applications: {},
    }
  }
  const tokens = object(root['tokens'], 'tokens')
  closed(tokens, tokenNames, 'tokens.')
  const applications = object(root['applications'] ?? {}, 'applications')
  closed(applications, ['device', 'confidential', 'exchange'], 'applications.')
  const allowWrites = root['allowWrites'] ?? false
  if (typeof allowWrites !== 'boolean') throw new ConfigError('allowWrites must be true or false')
  return {
    ...texts,
    organization: string(root, 'organization', ''),
    pipeline: string(root, 'pipeline', ''),
    allowWrites,
    tokens: Object.fromEntries(
      ['admin', ...Object.keys(tokens)].map((name) => [name, token(tokens, name, 'tokens.')] as const),
    ),
    applications: {
      device: device(applications['device'], 'applications.device'),
      confidential: device(applications['confidential'], 'applications.confidential'),
      exchange: exchange(applications['exchange'], 'applications.exchange'),
    },
  }
}

function parseFile(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new ConfigError(`${file} ${reasonOf(error)}`, { cause: error })
  }
}

/** A parser's own message quotes the line, which may hold a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof YAMLParseError)) return `cannot be read (${(error as NodeJS.ErrnoException).code})`
  const [start] = error.linePos ?? []
  return start === undefined ? 'is no YAML or JSON' : `is no YAML or JSON: line ${start.line}, column ${start.col}`
}

/**
 * Takes http and https URLs only, and none that holds a password.
 *
 * @throws ConfigError naming the place.
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

function object(value: unknown, at: string): Shape {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Shape
  throw new ConfigError(`${at} must be an object`)
}

/** A typing error must not silently take rows out of a run. */
function closed(given: Shape, known: readonly string[], at: string): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new ConfigError(`${at}${unknown} is unknown here; known are ${known.join(', ')}`)
}
