import { createHmac, randomBytes } from 'node:crypto'
import { digest } from '../../base/digest.js'
import { percentDecode } from '../../domain/json.js'
import type { NameValuePairs } from '../../rules/match.js'
import type { Exchange } from '../exchange.js'

/** The names of parameters and JSON members whose values are secrets. */
const secretNames: ReadonlySet<string> = new Set([
  'client_secret',
  'client_assertion',
  'subject_token',
  'device_code',
  'user_code',
  'refresh_token',
  'access_token',
  'form_token',
  'signature',
])

const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
])

const standInPattern = /^\[redacted:[0-9a-f]{8}\]$/

/** Shorter secrets are not searched in other texts: they often match by chance. */
const shortestEcho = 8

function credentialOf(value: string): readonly [scheme: string, credential: string] {
  const [, scheme = '', credential = value] =
    /^([A-Za-z][A-Za-z0-9-]*) +(?! )(.*)$/.exec(value) ?? []
  return [scheme, credential]
}

function cookieValues(header: string): readonly string[] {
  return header
    .split(/; */)
    .flatMap((pair) => (pair.includes('=') ? [pair.slice(pair.indexOf('=') + 1)] : []))
}

/** Finds secrets inside other texts, such as a URL in a header or in `return_to`. */
const nested = /(?:^|[?&#;\s"])([A-Za-z_]+)=([^&#;\s"]+)|\/oauth\/device\/([^/?&#;\s"]+)/g

/** A quick test, which most texts fail: only texts that match can contain such a secret. */
const mayNest = /[=%]|\/oauth\/device\//

function decoded(text: string): string {
  return percentDecode(text) ?? text
}

function spellings(secret: string): readonly string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])]
}

/** The size of the cache of stand-ins: the same access token is sent with many requests. */
const maxCached = 1000

export type LogRedactor = ReturnType<typeof createRedactor>

/** Replaces secrets in the log. Equal secrets get equal stand-ins, which reveal nothing. */
export function createRedactor(key: Uint8Array = randomBytes(32)) {
  const standIns = new Map<string, string>()
  /** `[redacted:1a2b3c4d]`: an HMAC under a key of this process. */
  const standIn = (secret: string): string => {
    if (standInPattern.test(secret)) return secret
    const cached = standIns.get(secret)
    if (cached !== undefined) return cached
    const made = `[redacted:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 8)}]`
    if (standIns.size >= maxCached) standIns.clear()
    standIns.set(secret, made)
    return made
  }
  const isSecretName = (name: string): boolean => secretNames.has(name.toLowerCase())

  const keep = (secret: string, found: Set<string>): string => {
    if (secret === '') return secret
    found.add(secret)
    return standIn(secret)
  }

  const collect = (text: string, found: Set<string>): string => {
    if (!mayNest.test(text)) return text
    for (const spelling of new Set([text, decoded(text)])) {
      for (const [, name = '', value, code] of spelling.matchAll(nested)) {
        const secret = code ?? (isSecretName(name) ? value : undefined)
        if (secret !== undefined) found.add(decoded(secret))
      }
    }
    return text
  }

  const json = (value: unknown, found: Set<string>): unknown => {
    if (typeof value === 'string') return collect(value, found)
    if (Array.isArray(value)) return value.map((item) => json(item, found))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]: [string, unknown]) => [
        name,
        isSecretName(name) && typeof member === 'string'
          ? keep(member, found)
          : json(member, found),
      ]),
    )
  }

  return {
    standIn,
    header(name: string, value: string): string {
      if (!secretHeaders.has(name)) return value
      if (!name.endsWith('authorization')) return standIn(value)
      const [scheme, credential] = credentialOf(value)
      return scheme === '' ? standIn(value) : `${scheme} ${standIn(credential)}`
    },
    /** Replaces the values of secret names; the secrets are added to `found`. */
    pairs: (pairs: NameValuePairs, found: Set<string>): NameValuePairs =>
      pairs.map(([name, value]) => [
        name,
        isSecretName(name) ? keep(value, found) : collect(value, found),
      ]),
    json,
    /** Replaces the code in a path such as `/oauth/device/WDJB-MJHT`. */
    path: (path: string, found: Set<string> = new Set()): string =>
      path.replace(
        /^(\/oauth\/device\/|\/_control\/device-authorizations\/)([^/]+)/,
        (_, before: string, code: string) => `${before}${keep(code, found)}`,
      ),
    collectHeaders(headers: NameValuePairs, found: Set<string>): void {
      for (const [name, value] of headers) {
        if (name === 'cookie' || name === 'set-cookie')
          for (const cookie of cookieValues(value)) found.add(cookie)
        else if (secretHeaders.has(name)) {
          const [scheme, credential] = credentialOf(value)
          found.add(credential)
          // The secret inside HTTP Basic may also occur elsewhere in the exchange.
          if (scheme.toLowerCase() === 'basic') {
            const pair = Buffer.from(credential, 'base64').toString('utf8')
            found.add(pair.slice(pair.indexOf(':') + 1))
          }
        } else collect(value, found)
      }
    },
    echoes(found: ReadonlySet<string>): (text: string) => string {
      const longestFirst = [...found]
        .filter((secret) => secret.length >= shortestEcho)
        .sort((a, b) => b.length - a.length)
        .flatMap((secret) => spellings(secret).map((spelling) => ({ secret, spelling })))
      return (text) =>
        longestFirst.reduce(
          (clean, { secret, spelling }) =>
            clean.includes(spelling) ? clean.replaceAll(spelling, () => standIn(secret)) : clean,
          text,
        )
    },
  }
}

type SearchedRequest = Pick<
  Exchange,
  'sandbox' | 'operation' | 'parameters' | 'path' | 'query' | 'headers'
>

const shortest = 8
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function isKnown({ store: { state } }: Exchange['sandbox'], text: string): boolean {
  if (text.length < shortest || uuid.test(text)) return false
  const key = digest(text)
  return (
    state.find('accessTokenByDigest', key) !== undefined ||
    state.find('refreshFamilyByDigest', key) !== undefined ||
    state.get('usedRefreshTokens', key) !== undefined ||
    state.find('deviceAuthorizationByDeviceCode', key) !== undefined
  )
}

/** Finds texts that look like tokens of this server, known or not: a prefix and a long secret. */
function lookAlikes({ settings }: Exchange['sandbox'], text: string): readonly string[] {
  const prefixes = Object.values(settings.tokenPrefixes).filter(
    (prefix) => prefix !== '' && text.includes(prefix),
  )
  return prefixes.flatMap((prefix) =>
    text
      .split(prefix)
      .slice(1)
      .flatMap((rest) => /^[A-Za-z0-9]{20,}/.exec(rest) ?? [])
      .map((secret) => prefix + secret),
  )
}

function inPath({ sandbox, operation, parameters, path }: SearchedRequest): readonly string[] {
  const segments =
    operation === null
      ? path.split('/').map((segment) => percentDecode(segment) ?? segment)
      : Object.values(parameters)
  return [...segments.filter((segment) => isKnown(sandbox, segment)), ...lookAlikes(sandbox, path)]
}

export function strayTokens(asked: SearchedRequest): readonly string[] {
  const { sandbox, query, headers } = asked
  const values = query.map(([, value]) => value)
  const others = [...headers].flatMap(([name, value]) => (name === 'authorization' ? [] : value))
  return [
    ...inPath(asked),
    ...values.filter((value) => isKnown(sandbox, value)),
    ...lookAlikes(sandbox, [...values, ...others].join('\n')),
  ]
}

export function cleanPath(asked: SearchedRequest, redactor: LogRedactor): string {
  return redactor.echoes(new Set(inPath(asked)))(redactor.path(asked.path))
}
