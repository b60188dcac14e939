import { Command, Option } from 'commander'
import { UsageError } from './exit-codes.js'

/** Makes an option for commander, which changes options; `T` is the type of its value. */
interface OptionMaker<T> {
  (): Option
  readonly value?: T
}

function flag<T>(
  flags: string,
  about: string,
  fallback?: T,
  more: (option: Option) => Option = (option) => option,
): OptionMaker<T> {
  return () => more(new Option(flags, about).default(fallback))
}

function integer(least: number, most: number) {
  return (option: Option) =>
    option.argParser((text) => {
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
      if (value >= least && value <= most) return value
      throw new UsageError(
        `${option.long} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`,
      )
    })
}

function positive(option: Option) {
  return option.argParser((text) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
    throw new UsageError(`${option.long} must be a number above 0, not ${JSON.stringify(text)}`)
  })
}

function several(flags: string, about: string) {
  return flag<readonly string[]>(flags, about, [], (option) =>
    option.argParser((text, before: readonly string[]) => [...before, text]),
  )
}

const policies = ['manual', 'immediate', 'timed'] as const
const logForms = ['json', 'pretty', 'off'] as const
type Text = string | undefined
type Switch = true | undefined

/** The flags of `start`. Each has a variable `BUILDWIRE_MOCK_<FLAG>`, which the flag overrides. */
const startTable = {
  host: flag('--host <address>', 'address to listen on', '127.0.0.1'),
  port: flag('--port <number>', '0 takes a free port', 4010, integer(0, 65_535)),
  baseUrl: flag<Text>('--base-url <url>', 'public URL of the REST API, behind a proxy'),
  authUrl: flag<Text>('--auth-url <url>', 'public URL of the OAuth endpoints'),
  webUrl: flag<Text>('--web-url <url>', 'public URL of the pages'),
  tlsCert: flag<Text>('--tls-cert <file>', 'certificate, PEM'),
  tlsKey: flag<Text>('--tls-key <file>', 'its key, PEM'),
  seed: flag('--seed <seed>', 'empty, demo, large:N, or a YAML or JSON file', 'demo'),
  dataDir: flag<Text>(
    '--data-dir <directory>',
    'keep the state there; without the flag it is in memory only',
  ),
  clock: flag('--clock <mode>', 'real, frozen, frozen:<ISO time> or offset:-3d', 'real'),
  randomSeed: flag('--random-seed <seed>', 'source of ids and sample data', '1'),
  lifecycle: flag<(typeof policies)[number]>(
    '--lifecycle <policy>',
    'what moves builds',
    'timed',
    (option) => option.choices(policies),
  ),
  speed: flag('--speed <factor>', 'divides durations of the timed lifecycle', 1, positive),
  vendor: flag<Text>('--vendor <word>', "the word in the subject token type's URN"),
  set: several('--set <key=value>', 'any setting, value as JSON or text; repeatable'),
  accessToken: flag<Text>('--access-token <value>', "value of the seed's token `admin`"),
  controlToken: flag<Text>(
    '--control-token <value>',
    'token of the control API, at least 16 characters',
  ),
  remote: flag<Switch>('--remote', 'open the control API and the pages to other machines'),
  allowHost: several(
    '--allow-host <host>',
    'another host name of this server, with or without a port; repeatable',
  ),
  cors: flag('--cors <origins>', '*, off, or origins separated by commas', '*'),
  maxSandboxes: flag(
    '--max-sandboxes <number>',
    'greatest number of sandboxes',
    2_000,
    integer(0, 1_000_000),
  ),
  drainMs: flag(
    '--drain-ms <ms>',
    'longest wait for open requests when the server stops',
    5_000,
    integer(0, 3_600_000),
  ),
  strict: flag<Switch>(
    '--strict',
    'check responses, refuse unknown properties, name ignored parameters',
  ),
  log: flag<(typeof logForms)[number] | undefined>(
    '--log <form>',
    'json, pretty (default on a terminal) or off',
    undefined,
    (option) => option.choices(logForms),
  ),
  readyFile: flag<Text>('--ready-file <path>', 'also write the ready line to this file'),
  json: flag<Switch>('--json', 'print the ready line as JSON, also on a terminal'),
  exitWithStdin: flag<Switch>('--exit-with-stdin', 'stop when standard input ends'),
}

type ValuesOf<T> = { readonly [K in keyof T]: T[K] extends OptionMaker<infer V> ? V : never }
/** The values of the flags of `start`. */
export interface StartFlags extends ValuesOf<typeof startTable> {}

function optionsOf(table: object): readonly Option[] {
  return Object.values(table).map((make: OptionMaker<unknown>) => make())
}

function startOptions() {
  return optionsOf(startTable)
}

function variableOf(flag: string): string {
  return `BUILDWIRE_MOCK_${flag.replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`
}

/** Flags of the environment as arguments; they come first, because a later argument wins. */
function fromEnvironment(env: NodeJS.ProcessEnv, options: readonly Option[]): readonly string[] {
  return options.flatMap((option) => {
    const flag = option.long ?? ''
    const value = env[variableOf(flag)]
    if (value === undefined || value === '') return []
    if (!option.required) return /^(?:0|false|no|off)$/i.test(value) ? [] : [flag]
    const values = Array.isArray(option.defaultValue)
      ? value.split('\n').filter((line) => line !== '')
      : [value]
    return values.map((each) => `${flag}=${each}`)
  })
}

const provable = 'seed clock random-seed lifecycle speed vendor set access-token strict'.split(' ')

function provableOptions() {
  return startOptions().filter(({ long }) => provable.some((name) => long === `--${name}`))
}

const findable = ['host', 'port', 'tlsCert'] as const

interface Budget {
  readonly runs: number
  readonly ms: number
}

const units = { s: 1_000, m: 60_000 } as const

/** `90s` or `5m` in ms; undefined for another text. */
function timeOf(text: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d{0,5})([sm])$/.exec(text) ?? []
  return unit === 's' || unit === 'm' ? Number(digits) * units[unit] : undefined
}

function limit(option: Option) {
  return option.argParser((text) => {
    const ms = timeOf(text)
    if (ms !== undefined) return ms
    throw new UsageError(
      `${option.long} must be a time such as 90s or 5m, not ${JSON.stringify(text)}`,
    )
  })
}

/** `40` runs, `90s` or `5m`; both may be given. */
function budget(text: string, before: Budget): Budget {
  const ms = timeOf(text)
  if (ms !== undefined) return { ...before, ms }
  if (/^[1-9]\d{0,5}$/.test(text)) return { ...before, runs: Number(text) }
  throw new UsageError(
    `--budget must be a number of rows, or a time such as 90s or 5m, not ${JSON.stringify(text)}`,
  )
}

const unlimited = { runs: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY }

const proveTable = {
  only: several(
    '--only <row>',
    'only this row or fault, such as after-commit/builds.create; repeatable',
  ),
  except: several('--except <row>', 'all rows except this row or fault; repeatable'),
  list: flag<Switch>('--list', 'list the faults and exit'),
  budget: flag<Budget>(
    '--budget <limit>',
    'number of rows (40), or time after which no row begins (90s, 5m); repeatable',
    undefined,
    (option) => option.default(unlimited, 'none').argParser(budget),
  ),
  jobs: flag(
    '--jobs <number>',
    'rows at the same time, each with its own server',
    1,
    integer(1, 64),
  ),
  limit: flag(
    '--limit <time>',
    'longest time of the run without a fault (10m)',
    300_000,
    (option) => limit(option).default(300_000, '5m'),
  ),
  json: flag<Switch>('--json', 'print the report as JSON'),
  junit: flag<Text>('--junit <file>', 'also write the report as JUnit XML'),
}

/** Flags of `prove`, its command, and the server's flags as they were typed. */
export interface ProveFlags extends StartFlags, ValuesOf<typeof proveTable> {
  readonly command: readonly string[]
  readonly serverWords: readonly string[]
}

export interface HealthFlags extends Pick<StartFlags, (typeof findable)[number]> {
  readonly url?: string
}

export type ProgramRequest =
  | { readonly command: 'prove'; readonly flags: ProveFlags }
  | { readonly command: 'start'; readonly flags: StartFlags }
  | { readonly command: 'health'; readonly flags: HealthFlags }
  | { readonly command: 'seedCheck'; readonly file: string }
  | { readonly command: 'seedSchema' }
  | { readonly command: 'text'; readonly text: string }

/** Reads the command line of a program of this name. @throws UsageError */
export function readArguments(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { name, version }: { readonly name: string; readonly version: string },
): ProgramRequest {
  let request: ProgramRequest | undefined
  const setRequest = (parsed: ProgramRequest): void => {
    request = parsed
  }
  const texts: string[] = []
  const collect = (part: string) => void texts.push(part)
  const program = new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: collect, writeErr: collect })
    .description('Reference server for a continuous-integration API.')
    .version(version)
    .enablePositionalOptions()
    .addHelpText('after', `\nAll flags: ${name} start --help`)
  const start = program
    .command('start', { isDefault: true })
    .description('start the server; a signal stops it (default)')
  for (const option of startOptions()) {
    option.description += ` (${variableOf(option.long ?? '')})`
    start.addOption(option)
  }
  start.action((flags: StartFlags) => setRequest({ command: 'start', flags }))
  const health = program
    .command('health')
    .description(
      'exit with 0 if the server is ready, else with 1; takes the flags and variables of the server',
    )
    .option('--url <url>', 'URL of the server')
    .action((flags: HealthFlags) => setRequest({ command: 'health', flags }))
  for (const option of startOptions())
    health.addOption(option.hideHelp(!findable.some((name) => name === option.attributeName())))
  const prove = program
    .command('prove')
    .description('run a command under every fault that it can meet, and find harm in its requests')
    .usage('[options] -- CMD...')
    .argument('[command...]')
    .passThroughOptions()
  for (const option of [...optionsOf(proveTable), ...provableOptions()]) prove.addOption(option)
  const defaults = Object.fromEntries(
    startOptions().map((option) => [option.attributeName(), option.defaultValue]),
  )
  prove.action((command: readonly string[], flags: ProveFlags) => {
    const typed = provableOptions().filter(
      (option) => prove.getOptionValueSource(option.attributeName()) === 'cli',
    )
    const serverWords = typed.flatMap((option) =>
      wordsOf(option, Reflect.get(flags, option.attributeName())),
    )
    setRequest({ command: 'prove', flags: { ...defaults, ...flags, command, serverWords } })
  })
  program
    .command('seed')
    .description('check seed files')
    .command('check')
    .argument('[file]', 'YAML or JSON')
    .option('--schema', 'print the JSON Schema of seeds instead')
    .description('list the errors of a seed file')
    .action((file: string | undefined, { schema }: { schema?: boolean }) => {
      if (schema === true) setRequest({ command: 'seedSchema' })
      else if (file !== undefined) setRequest({ command: 'seedCheck', file })
      else throw new UsageError('seed check needs a file')
    })
  const [first = ''] = argv
  const takes = new Map([
    ['start', startOptions],
    ['health', startOptions],
    ['prove', provableOptions],
  ])
  const command = takes.has(first) ? first : 'start'
  const takesNoVariables = ['seed', 'help', '--help', '-h', '--version', '-V'].includes(first)
  const variables = fromEnvironment(env, takes.get(command)?.() ?? [])
  const typed = first === command ? argv.slice(1) : argv
  const words = takesNoVariables ? argv : [command, ...variables, ...typed]
  try {
    program.parse([...words], { from: 'user' })
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code, message, exitCode } = error as {
      code?: string
      message: string
      exitCode?: number
    }
    if (exitCode === 0 || code === 'commander.help')
      return { command: 'text', text: texts.join('') }
    throw new UsageError(message.replace(/^error: /, ''))
  }
  return request ?? { command: 'text', text: texts.join('') }
}

function wordsOf({ long, required }: Option, value: unknown): readonly string[] {
  return required ? [value].flat().flatMap((each) => [long ?? '', String(each)]) : [long ?? '']
}
