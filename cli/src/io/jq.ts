import { createRequire } from 'node:module'
import { CommandError, usageError } from './command-error.js'
import { type Printable, say } from './printable.js'

/** What the package `jq-web` offers; it ships no types. */
interface JqProgram {
  raw(json: string, filter: string, flags: readonly string[]): string | undefined
}

// The emulated environment contains the path of this program; filters get an empty one.
const PRELUDE = '{} as $ENV | def env: {}; '

/**
 * Runs a real jq over one JSON text: strings come out raw, other values as one line of JSON each.
 */
export async function runJq(json: string, filter: string): Promise<string> {
  // The module's export is a promise, and `import()` would wait for it too early.
  const jq: JqProgram = await createRequire(import.meta.url)('jq-web')
  try {
    const text = jq.raw(json, PRELUDE + filter, ['-c'])
    // No result prints no line; an empty string prints an empty line.
    return text === undefined ? '' : `${text.split('\n').map(rawLine).join('\n')}\n`
  } catch (cause) {
    const message = jqMessage(cause)
    if (message === null) throw cause
    if (/compile error/u.test(message)) {
      throw usageError(say`the jq filter does not compile`, { lines: tidy(message) })
    }
    throw new CommandError('negative', say`the jq filter failed`, { lines: tidy(message) })
  }
}

/** A line of jq's JSON as `jq -r` prints it. The flag itself is not used: jq-web drops NUL bytes. */
function rawLine(line: string): string {
  return line.startsWith('"') ? String(JSON.parse(line)) : line
}

function jqMessage(error: unknown): string | null {
  if (!(error instanceof Error) || !('exitCode' in error)) return null
  return 'stderr' in error && typeof error.stderr === 'string'
    ? error.stderr.replace(/^undefined/u, '')
    : error.message
}

function tidy(message: string): Printable[] {
  return message
    .replaceAll(PRELUDE, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^jq: \d+ compile error/u.test(line))
    .slice(0, 2)
    .map((line) => say`${line}`)
}
