import type { Config } from '@oclif/core/config'
import type { CommandSetup } from '../context/base-command.js'

/** A command's class, as far as main needs it. */
export interface CommandClass {
  new (argv: string[], config: Config, setup: CommandSetup): { start(): Promise<unknown> }
  readonly flags?: Readonly<Record<string, unknown>>
  readonly baseFlags?: Readonly<Record<string, unknown>>
  readonly args?: Readonly<Record<string, unknown>>
  readonly summary?: string | undefined
}

/** A command: its names, and how to load its code. */
export interface CommandEntry {
  readonly aliases?: readonly string[]
  /** Its arguments belong to another program and are handed over unread. */
  readonly raw?: boolean
  readonly load: () => Promise<CommandClass>
}

/** Topics, in the order of help. A topic is never a command. */
export const topics: Readonly<Record<string, string>> = {
  builds: 'List, look at, start, stop and follow builds',
  jobs: 'Look at single jobs, run them again, let them go on',
  annotations: 'Read and write notes on builds',
  artifacts: 'List and download the files of jobs',
  tests: 'Find test records and change their labels',
  pipelines: 'Find pipelines',
  organizations: 'Find organizations',
  auth: 'Log in and out',
  token: 'Mint tokens that act for a user',
  keys: 'Make keys for signing',
  context: 'Name servers and choose between them',
  server: 'Run the reference server',
}

/** All commands by name. Each is a module of its own, loaded when it is run. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  'builds list': { aliases: ['builds ls'], load: async () => (await import('./builds/list.js')).BuildsList },
  'builds get': {
    aliases: ['builds view', 'builds show'],
    load: async () => (await import('./builds/get.js')).BuildsGet,
  },
  'builds create': {
    aliases: ['builds trigger', 'builds run'],
    load: async () => (await import('./builds/create.js')).BuildsCreate,
  },
  'builds cancel': { load: async () => (await import('./builds/cancel.js')).BuildsCancel },
  'builds rebuild': { load: async () => (await import('./builds/rebuild.js')).BuildsRebuild },
  'builds retry': { load: async () => (await import('./builds/retry.js')).BuildsRetry },
  'builds watch': { load: async () => (await import('./builds/watch.js')).BuildsWatch },
  'builds logs': { load: async () => (await import('./builds/logs.js')).BuildsLogs },
  why: { aliases: ['builds why'], load: async () => (await import('./why.js')).Why },
  'builds open': { load: async () => (await import('./builds/open.js')).BuildsOpen },
  'jobs get': { aliases: ['jobs view', 'jobs show'], load: async () => (await import('./jobs/get.js')).JobsGet },
  'jobs retry': { load: async () => (await import('./jobs/retry.js')).JobsRetry },
  'jobs unblock': { load: async () => (await import('./jobs/unblock.js')).JobsUnblock },
  'annotations list': {
    aliases: ['annotations ls'],
    load: async () => (await import('./annotations/list.js')).AnnotationsList,
  },
  'annotations create': { load: async () => (await import('./annotations/create.js')).AnnotationsCreate },
  'artifacts list': {
    aliases: ['artifacts ls'],
    load: async () => (await import('./artifacts/list.js')).ArtifactsList,
  },
  'artifacts download': { load: async () => (await import('./artifacts/download.js')).ArtifactsDownload },
  'tests list': { load: async () => (await import('./tests/list.js')).TestsList },
  'tests get': { load: async () => (await import('./tests/get.js')).TestsGet },
  'tests find': { load: async () => (await import('./tests/find.js')).TestsFind },
  'tests label': { load: async () => (await import('./tests/label.js')).TestsLabel },
  'pipelines list': { load: async () => (await import('./pipelines/list.js')).PipelinesList },
  'pipelines get': { load: async () => (await import('./pipelines/get.js')).PipelinesGet },
  'organizations list': { load: async () => (await import('./organizations/list.js')).OrganizationsList },
  'auth login': { load: async () => (await import('./auth/login.js')).AuthLogin },
  'auth status': { load: async () => (await import('./auth/status.js')).AuthStatus },
  'auth token': { load: async () => (await import('./auth/token.js')).AuthToken },
  'auth logout': { load: async () => (await import('./auth/logout.js')).AuthLogout },
  'token mint': {
    aliases: ['token exchange'],
    load: async () => (await import('./token/mint.js')).TokenMint,
  },
  'token exec': { load: async () => (await import('./token/exec.js')).TokenExec },
  'token inspect': { load: async () => (await import('./token/inspect.js')).TokenInspect },
  'keys generate': { load: async () => (await import('./keys/generate.js')).KeysGenerate },
  'context list': { load: async () => (await import('./context/list.js')).ContextList },
  'context show': { load: async () => (await import('./context/show.js')).ContextShow },
  'context use': { load: async () => (await import('./context/use.js')).ContextUse },
  'context set': { load: async () => (await import('./context/set.js')).ContextSet },
  'context delete': { load: async () => (await import('./context/delete.js')).ContextDelete },
  'server start': { raw: true, load: async () => (await import('./server/start.js')).ServerStart },
  'server exec': { raw: true, load: async () => (await import('./server/exec.js')).ServerExec },
  'server prove': { raw: true, load: async () => (await import('./server/prove.js')).ServerProve },
  api: { load: async () => (await import('./api.js')).Api },
  completion: { load: async () => (await import('./completion.js')).Completion },
  mcp: { load: async () => (await import('./mcp.js')).Mcp },
  doctor: { load: async () => (await import('./doctor.js')).Doctor },
  version: { load: async () => (await import('./version.js')).Version },
  help: { load: async () => (await import('./help.js')).Help },
}

/** The topic that a typed word means: its own name, the singular, or what other programs call builds. */
export function topicByName(word: string): string | undefined {
  const found = word === 'run' || word === 'runs' ? 'builds' : word
  return [found, `${found}s`].find((name) => Object.hasOwn(topics, name))
}

/** The name of the command that a typed name means: its own, or a hidden synonym. */
export function commandByName(name: string): string | undefined {
  if (Object.hasOwn(commands, name)) return name
  return Object.entries(commands).find(([, { aliases }]) => aliases?.includes(name))?.[0]
}
