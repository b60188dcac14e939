import { parseDuration } from './duration.js'
import {
  bareFlag,
  choiceFlag,
  type FlagValues,
  numberFlag,
  parsedFlag,
  switchFlag,
  textFlag,
} from './flags.js'
import { parsePipelineReference, parseSlug } from './number.js'

export const OUTPUTS = ['table', 'json', 'jsonl', 'tsv', 'id'] as const

export type Output = (typeof OUTPUTS)[number]

/** Flags that every command takes, also before its name. */
export const globalFlags = {
  pipeline: parsedFlag(parsePipelineReference, {
    char: 'p',
    helpValue: '[ORG/]SLUG',
    summary: 'The pipeline to work on',
  }),
  org: parsedFlag(parseSlug, { helpValue: 'SLUG', summary: 'The organization to work in' }),
  context: textFlag({ helpValue: 'NAME', summary: 'Use this context and its own credential' }),
  output: choiceFlag('output', OUTPUTS, { char: 'o', summary: 'Format of the data on stdout' }),
  json: bareFlag('*', {
    helpValue: '[=FIELDS]',
    summary: 'Print JSON; --json=help lists the fields',
  }),
  jq: textFlag({ char: 'q', helpValue: 'EXPR', summary: 'Filter the JSON with jq' }),
  utc: switchFlag({ summary: 'Show times in UTC' }),
  color: choiceFlag('color', ['auto', 'always', 'never'], { summary: 'When to use colour' }),
  'no-color': switchFlag({ summary: 'The same as --color never' }),
  quiet: switchFlag({ summary: 'No notes on stderr, only warnings and errors' }),
  debug: bareFlag('on', {
    helpValue: '[=http]',
    summary: 'Print decisions and timings to stderr',
  }),
  'no-input': switchFlag({ summary: 'Never ask questions; a missing value is an error' }),
  'no-pager': switchFlag({ summary: 'Never start a pager' }),
  'request-timeout': parsedFlag(parseDuration, {
    helpValue: 'DUR',
    summary: 'Longest time for one request (180s)',
  }),
  retries: numberFlag('retries', 0, {
    max: 10,
    helpValue: 'N',
    summary: 'Retries of a request that may be repeated (2)',
  }),
  help: switchFlag({ char: 'h', summary: 'Show help' }),
}

export type GlobalFlagValues = FlagValues<typeof globalFlags>
