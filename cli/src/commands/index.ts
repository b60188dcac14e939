import type { CommandClass } from '../context/base-command.js'

export interface CommandEntry {
  readonly aliases?: readonly string[]
  /** Its arguments belong to another program and are passed on unparsed. */
  readonly raw?: boolean
  /** The module that exports it by its verb. */
  readonly load: () => Promise<Readonly<Record<string, CommandClass>>>
}

/** Topics, in the order of help. A topic is never a command. */
export const topics: Readonly<Record<string, string>> = {
  builds: 'List, show, start, cancel and follow builds',
  jobs: 'List, show, retry and unblock jobs',
  annotations: 'Read and write annotations of builds',
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

/** All commands by name; the module of a command is loaded when it is run. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  'builds list': { aliases: ['builds ls'], load: () => import('./builds.js') },
  'builds get': { aliases: ['builds view', 'builds show'], load: () => import('./builds.js') },
  'builds create': {
    aliases: ['builds trigger', 'builds run'],
    load: () => import('./builds-write.js'),
  },
  'builds cancel': { load: () => import('./builds-write.js') },
  'builds rebuild': { load: () => import('./builds-write.js') },
  'builds retry': { load: () => import('./builds-write.js') },
  'builds watch': { load: () => import('./builds.js') },
  'builds logs': { load: () => import('./builds.js') },
  why: { aliases: ['builds why'], load: () => import('./why.js') },
  status: { load: () => import('./status.js') },
  browse: { load: () => import('./browse.js') },
  'builds open': { load: () => import('./builds.js') },
  'jobs list': { aliases: ['jobs ls'], load: () => import('./jobs.js') },
  'jobs get': { aliases: ['jobs view', 'jobs show'], load: () => import('./jobs.js') },
  'jobs retry': { load: () => import('./jobs.js') },
  'jobs unblock': { load: () => import('./jobs.js') },
  'annotations list': { aliases: ['annotations ls'], load: () => import('./annotations.js') },
  'annotations create': { load: () => import('./annotations.js') },
  'artifacts list': { aliases: ['artifacts ls'], load: () => import('./artifacts.js') },
  'artifacts download': { load: () => import('./artifacts.js') },
  'tests list': { load: () => import('./tests.js') },
  'tests get': { load: () => import('./tests.js') },
  'tests find': { load: () => import('./tests.js') },
  'tests label': { load: () => import('./tests.js') },
  'pipelines list': { load: () => import('./pipelines.js') },
  'pipelines get': { load: () => import('./pipelines.js') },
  'organizations list': { load: () => import('./organizations.js') },
  'auth login': { load: () => import('./auth.js') },
  'auth status': { load: () => import('./auth.js') },
  'auth token': { load: () => import('./auth.js') },
  'auth logout': { load: () => import('./auth.js') },
  'token mint': { aliases: ['token exchange'], load: () => import('./token.js') },
  'token exec': { load: () => import('./token.js') },
  'token inspect': { load: () => import('./token.js') },
  'keys generate': { load: () => import('./keys.js') },
  'context list': { load: () => import('./context.js') },
  'context show': { load: () => import('./context.js') },
  'context use': { load: () => import('./context.js') },
  'context set': { load: () => import('./context.js') },
  'context delete': { load: () => import('./context.js') },
  'server start': { raw: true, load: () => import('./server.js') },
  'server exec': { raw: true, load: () => import('./server.js') },
  'server capture': { load: () => import('./server.js') },
  'server prove': { raw: true, load: () => import('./server.js') },
  api: { load: () => import('./api.js') },
  completion: { load: () => import('./program.js') },
  mcp: { load: () => import('./mcp.js') },
  doctor: { load: () => import('./doctor.js') },
  version: { load: () => import('./program.js') },
  help: { load: () => import('./program.js') },
}

export async function commandClass(name: string, { load }: CommandEntry): Promise<CommandClass> {
  const verb = name.split(' ').at(-1) ?? ''
  const Command = (await load())[verb]
  if (Command === undefined) throw new RangeError(`no command ${name} in its module`)
  return Command
}

/** The topic of a typed word: its name, its singular, or `run`, as other programs name builds. */
export function topicByName(word: string): string | undefined {
  const topic = word === 'run' || word === 'runs' ? 'builds' : word
  return [topic, `${topic}s`].find((name) => Object.hasOwn(topics, name))
}

/** The command of a typed name, which may be a hidden synonym. */
export function commandByName(name: string): string | undefined {
  if (Object.hasOwn(commands, name)) return name
  return Object.entries(commands).find(([, { aliases }]) => aliases?.includes(name))?.[0]
}
