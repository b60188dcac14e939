/**
 * `npm run conformance`: the command line of the kit. `--help` lists its options;
 * docs/conformance.md explains it.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { adapterNames, type OpenTarget, openTarget } from './adapters.js'
import { ConfigError, checkedUrl, readConfig } from './config.js'
import { openRemote, UnreachableError } from './remote.js'
import { details, json, junit, summary, tap } from './reports.js'
import { rows } from './rows/index.js'
import { needsOf, type Result, runRows } from './run.js'
import type { ConformanceRow } from './target.js'

const help = `npm run conformance -- [options]

Without --target every row runs through the four doors of the reference server.

  --target URL      base URL of the server to ask (or baseUrl in the configuration)
  --auth-url URL    its OAuth origin; default: the base URL
  --web-url URL     its web origin; default: the base URL
  --config FILE     what the kit may use there, YAML or JSON: docs/conformance.md
  --only ID,ID      these rows alone
  --level M,S,D     rows of these levels: must, should, decision of ours
  --list            print the rows and end
  --tap FILE, --junit FILE, --json FILE
                    write a report; - is stdout, and the summary goes to stderr then
  --help

Exit codes: 0 no row failed, 1 some did, 2 the command line or the configuration cannot be used, 3 nobody answers there,
or not as a server of this API.
`

class UsageError extends Error {}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const options = {
  target: text,
  'auth-url': text,
  'web-url': text,
  config: text,
  only: text,
  level: text,
  tap: text,
  junit: text,
  json: text,
  list: flag,
  help: flag,
}

const formats = { tap, junit, json } as const

/**
 * Selects rows. An unknown name is an error, since a run without rows would look like a success.
 */
function chosenRows(
  only: string | undefined,
  level: string | undefined,
): readonly ConformanceRow[] {
  const ids = only?.split(',')
  const levels = level?.split(',')
  const unknown = ids?.find((id) => !rows.some((row) => row.id === id))
  if (unknown !== undefined) throw new UsageError(`--only: there is no row ${unknown}`)
  const strange = levels?.find((one) => !['M', 'S', 'D'].includes(one))
  if (strange !== undefined) throw new UsageError(`--level: ${strange} is none of M, S, D`)
  const chosen = rows.filter(
    (row) => (ids?.includes(row.id) ?? true) && (levels?.includes(row.level) ?? true),
  )
  if (chosen.length === 0) throw new UsageError('--only and --level leave no row')
  return chosen
}

const listing = (some: readonly ConformanceRow[]): string =>
  some
    .map(
      (row) =>
        `${[row.id, row.level, row.section, row.title, needsOf(row).join(' ')].join('\t')}\n`,
    )
    .join('')

async function openTargets(
  values: Partial<Record<string, string | boolean>>,
): Promise<readonly (() => Promise<OpenTarget>)[]> {
  const file = values['config']
  if (typeof file !== 'string') {
    const lonely = ['target', 'auth-url', 'web-url'].find((name) => values[name] !== undefined)
    if (lonely !== undefined)
      throw new UsageError(`--${lonely} needs --config FILE, which names tokens and records`)
    return adapterNames.map((adapter) => () => openTarget(adapter))
  }
  const config = readConfig(file, process.env)
  const url = (name: string, fallback: string | undefined) => {
    const value = values[name]
    return typeof value === 'string' ? checkedUrl(value, `--${name}`) : fallback
  }
  const target = url('target', config.baseUrl)
  if (target === undefined)
    throw new UsageError('--target URL, or baseUrl in the configuration, says whom to ask')
  const urls = { authUrl: url('auth-url', config.authUrl), webUrl: url('web-url', config.webUrl) }
  return [() => openRemote(target, { ...config, ...urls })]
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options, strict: true })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const chosen = chosenRows(values.only, values.level)
  if (values.list) {
    process.stdout.write(listing(chosen))
    return 0
  }
  const reports = (['tap', 'junit', 'json'] as const).flatMap((name) =>
    values[name] ? [{ name, to: values[name] }] : [],
  )
  for (const { name, to } of reports) if (to !== '-') checkWritable(to, name)
  const results: Result[] = []
  for (const open of await openTargets(values)) {
    const { target, lacks, close } = await open()
    try {
      results.push(...(await runRows(target, chosen, lacks)))
    } finally {
      await close()
    }
  }
  const people = reports.some(({ to }) => to === '-') ? process.stderr : process.stdout
  for (const { name, to } of reports) {
    if (to === '-') process.stdout.write(formats[name](results))
    else writeFileSync(to, formats[name](results))
  }
  people.write(`${details(results)}${summary(results)}`)
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}

/** The reports are opened before the rows run: a long run must not end without its report. */
function checkWritable(file: string, option: string): void {
  try {
    closeSync(openSync(file, 'a'))
  } catch (error) {
    throw new UsageError(
      `--${option}: ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}

const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  error instanceof ConfigError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

try {
  process.exitCode = await main()
} catch (error) {
  const isUnreachable = error instanceof UnreachableError
  if (!isUsage(error) && !isUnreachable) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = isUnreachable ? 3 : 2
}
