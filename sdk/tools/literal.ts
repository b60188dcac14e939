const WIDTH = 120

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name)
}

function text(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function parts(value: object, indent: string): { open: string; close: string; entries: string[] } {
  if (Array.isArray(value))
    return { open: '[', close: ']', entries: value.map((item) => literal(item, indent)) }
  const entries = Object.entries(value).map(
    ([name, item]) => `${key(name)}: ${literal(item, indent)}`,
  )
  return { open: '{', close: '}', entries }
}

/**
 * A JSON value as TypeScript source: on one line where it fits or where it is a list of words, else
 * one entry per line.
 */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const { open, close, entries } = parts(value, inner)
  const space = open === '{' && entries.length > 0 ? ' ' : ''
  const line = `${open}${space}${entries.join(', ')}${space}${close}`
  const flat = Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (flat || (!line.includes('\n') && indent.length + line.length < WIDTH)) return line
  return `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`
}
