import { checkedObject, must } from '../base/checked.js'
import { ConfigError } from '../errors/errors.js'

/** Headers that the pipeline itself is responsible for. */
const ours = [
  'authorization',
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'accept-encoding',
]

/** Headers that a caller adds to a request. @throws ConfigError `config` for one that is ours. */
export function addedHeaders(
  headers: Readonly<Record<string, string>> | undefined,
): Record<string, string> | undefined {
  if (headers === undefined) return undefined
  const checked = checkedHeaders('headers', headers)
  const taken = ours.find((name) => Object.hasOwn(checked, name))
  if (taken !== undefined)
    throw new ConfigError('headers', `the header ${taken} is set by the client itself`)
  return checked
}

/**
 * Headers that can travel, names in lower case, as a new object. @throws ConfigError that names the
 * header and never its value.
 */
export function checkedHeaders(
  option: string,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  // Of a Headers or a Map nothing would be seen, and nothing sent.
  if (Symbol.iterator in checkedObject(option, headers, 'names and values')) {
    throw must(option, 'be a plain object: Object.fromEntries makes one')
  }
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      throw new ConfigError(option, 'a header name holds characters it cannot')
    const key = name.toLowerCase()
    if (typeof value !== 'string')
      throw new ConfigError(option, `the header ${key} must be a string`)
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new ConfigError(option, `the header ${key} holds characters that cannot travel`)
    }
    checked[key] = value
  }
  return checked
}
