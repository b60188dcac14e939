import { digest } from '../../base/digest.js'
import { percentDecode } from '../../domain/json.js'
import type { Exchange } from '../exchange.js'
import type { Redactor } from './redact.js'

type Asked = Pick<Exchange, 'sandbox' | 'operation' | 'parameters' | 'path' | 'query' | 'headers'>

const shortest = 8
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const isKnown = ({ store: { state } }: Exchange['sandbox'], text: string): boolean => {
  if (text.length < shortest || uuid.test(text)) return false
  const key = digest(text)
  return (
    state.find('accessTokenByDigest', key) !== undefined ||
    state.find('refreshFamilyByDigest', key) !== undefined ||
    state.get('usedRefreshTokens', key) !== undefined ||
    state.find('deviceAuthorizationByDeviceCode', key) !== undefined
  )
}

/** Texts that begin as tokens of this server do and go on like secrets, whether they are known or not. */
const lookAlikes = ({ settings }: Exchange['sandbox'], text: string): readonly string[] => {
  const prefixes = Object.values(settings.tokenPrefixes).filter((prefix) => prefix !== '' && text.includes(prefix))
  return prefixes.flatMap((prefix) =>
    text
      .split(prefix)
      .slice(1)
      .flatMap((rest) => /^[A-Za-z0-9]{20,}/.exec(rest) ?? [])
      .map((secret) => prefix + secret),
  )
}

const inPath = ({ sandbox, operation, parameters, path }: Asked): readonly string[] => {
  const segments =
    operation === null ? path.split('/').map((segment) => percentDecode(segment) ?? segment) : Object.values(parameters)
  return [...segments.filter((segment) => isKnown(sandbox, segment)), ...lookAlikes(sandbox, path)]
}

/** Tokens that stand where none belongs: in the path, in a parameter or in a header of another name. */
export const strayTokens = (asked: Asked): readonly string[] => {
  const { sandbox, query, headers } = asked
  const values = query.map(([, value]) => value)
  const others = [...headers].flatMap(([name, value]) => (name === 'authorization' ? [] : value))
  return [
    ...inPath(asked),
    ...values.filter((value) => isKnown(sandbox, value)),
    ...lookAlikes(sandbox, [...values, ...others].join('\n')),
  ]
}

/** The path as a line of the program's log may show it. */
export const cleanPath = (asked: Asked, redactor: Redactor): string =>
  redactor.echoes(new Set(inPath(asked)))(redactor.path(asked.path))
