import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { type FlagValues, numberFlag, parsedFlag, switchFlag } from './flags.js'
import { parseSlug } from './number.js'

export const BUILD = 'A build: 42, web#42, acme/web#42, @latest, or its URL (the newest of the current branch)'

export const BUILDS = 'Builds: 42, web#42, acme/web#42, @latest, or URLs (the newest of the current branch)'

export const listFlags = {
  limit: numberFlag('limit', 1, { char: 'L', helpValue: 'N', summary: 'Show at most N (30)' }),
  all: switchFlag({ summary: 'Show all, page by page' }),
  'per-page': numberFlag('per-page', 1, { max: 100, helpValue: 'N', summary: 'Records per request' }),
  header: switchFlag({ summary: 'Start tab-separated output with a line of column names' }),
}

export const webFlag = {
  web: switchFlag({ char: 'w', summary: 'Open the page in a browser instead' }),
}

/** `--yes` of writes that may be about a build nobody named. */
export const yesFlag = {
  yes: switchFlag({ char: 'y', summary: 'Do not ask whether the newest build is meant' }),
}

export const suiteFlag = {
  suite: parsedFlag(parseSlug, { helpValue: 'SLUG', summary: 'The test suite' }),
}

const DEFAULT_LIMIT = 30
const MAX_PER_PAGE = 100

/** Reads the list flags: `--all`, `--limit`, else thirty. */
export function listSize(flags: FlagValues<typeof listFlags>) {
  if (flags.all === true && flags.limit !== undefined) throw usageError(say`--all and --limit exclude each other`)
  const limit = flags.all === true ? null : (flags.limit ?? DEFAULT_LIMIT)
  return {
    limit,
    limitIsTyped: flags.limit !== undefined,
    per_page: flags['per-page'] ?? Math.min(limit ?? MAX_PER_PAGE, MAX_PER_PAGE),
    header: flags.header === true,
  }
}
