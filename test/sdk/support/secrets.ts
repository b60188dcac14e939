import { inspect } from 'node:util'

/** Everything that prints a value: what a logger, a crash report or a debugger might do with it. */
export function printed(value: unknown): string {
  const stack = value instanceof Error ? `${value.stack}\n${value}` : String(value)
  return [
    inspect(value, { depth: null, showHidden: true }),
    inspect(value),
    JSON.stringify(value) ?? '',
    stack,
  ].join('\n')
}
