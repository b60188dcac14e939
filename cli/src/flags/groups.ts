import type { BodyName, OperationId, OperationTypes, QueryName } from '@buildwire/sdk/contract'
import { usageError } from '../io/command-error.js'
import { say } from '../io/printable.js'
import { parseDuration } from './duration.js'
import {
  type FlagValues,
  numberFlag,
  parsedFlag,
  switchFlag,
  textArg,
  textFlag,
  textsArg,
} from './flags.js'
import { parseSlug } from './number.js'

type ValueOf<Id extends OperationId, Name> = Id extends OperationId
  ? Name extends keyof OperationTypes[Id]['params']
    ? OperationTypes[Id]['params'][Name]
    : never
  : never

/**
 * The query and body parameters of an operation. If the contract gains a parameter, the callers do
 * not compile until they pass a flag's value, or `undefined` with a comment that says why. `page` is
 * left out, because the SDK follows the pages.
 */
export type Parameters<Id extends OperationId> = {
  readonly [Name in Exclude<QueryName<Id>, 'page'> | BodyName<Id>]: ValueOf<Id, Name> | undefined
}

const FORMS = '42, web#42, acme/web#42, @latest, or'

export const buildArg = {
  number: textArg({ description: `A build: ${FORMS} its URL (the newest of the current branch)` }),
}

export const buildsArg = {
  number: textsArg({ description: `Builds: ${FORMS} URLs (the newest of the current branch)` }),
}

export const jobFlag = {
  job: textFlag({
    helpValue: 'ID|NAME',
    summary: 'The job: id, URL, step key, name, or a part of the name',
  }),
}

export const listFlags = {
  limit: numberFlag('limit', 1, { char: 'L', helpValue: 'N', summary: 'Show at most N (30)' }),
  all: switchFlag({ summary: 'Show all, page by page' }),
  'per-page': numberFlag('per-page', 1, {
    max: 100,
    helpValue: 'N',
    summary: 'Records per request',
  }),
  header: switchFlag({ summary: 'Start tab-separated output with a line of column names' }),
}

export const timeoutFlag = {
  timeout: parsedFlag(parseDuration, {
    helpValue: 'DUR',
    summary: 'Stop watching after this long, with exit code 8',
  }),
}

export const webFlag = {
  web: switchFlag({ char: 'w', summary: 'Open the page in a browser instead' }),
}

/** `--yes` of commands that change the newest build if the command line names none. */
export const yesFlag = {
  yes: switchFlag({ char: 'y', summary: 'Use the newest build without asking' }),
}

export const suiteFlag = {
  suite: parsedFlag(parseSlug, { helpValue: 'SLUG', summary: 'The test suite' }),
}

const DEFAULT_LIMIT = 30
const MAX_PER_PAGE = 100

export function listSize(flags: FlagValues<typeof listFlags>) {
  if (flags.all === true && flags.limit !== undefined)
    throw usageError(say`--all and --limit cannot be used together`)
  const limit = flags.all === true ? null : (flags.limit ?? DEFAULT_LIMIT)
  return {
    limit,
    limitIsTyped: flags.limit !== undefined,
    per_page: flags['per-page'] ?? Math.min(limit ?? MAX_PER_PAGE, MAX_PER_PAGE),
    header: flags.header === true,
  }
}
