import type { CommandClass } from '../context/base-command.js'

export interface CommandEntry {
  readonly aliases?: readonly string[]
  /** Its arguments belong to another program and are handed over unread. */
  readonly raw?: boolean
  readonly load: () => Promise<{ readonly Command: CommandClass }>
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
  'builds list': { aliases: ['builds ls'], load: () => import('./builds/list.js') },
  'builds get': { aliases: ['builds view', 'builds show'], load: () => import('./builds/get.js') },
  'builds create': { aliases: ['builds trigger', 'builds run'], load: () => import('./builds/create.js') },
  'builds cancel': { load: () => import('./builds/cancel.js') },
  'builds rebuild': { load: () => import('./builds/rebuild.js') },
  'builds retry': { load: () => import('./builds/retry.js') },
  'builds watch': { load: () => import('./builds/watch.js') },
  'builds logs': { load: () => import('./builds/logs.js') },
  why: { aliases: ['builds why'], load: () => import('./why.js') },
  'builds open': { load: () => import('./builds/open.js') },
  'jobs get': { aliases: ['jobs view', 'jobs show'], load: () => import('./jobs/get.js') },
  'jobs retry': { load: () => import('./jobs/retry.js') },
  'jobs unblock': { load: () => import('./jobs/unblock.js') },
  'annotations list': { aliases: ['annotations ls'], load: () => import('./annotations/list.js') },
  'annotations create': { load: () => import('./annotations/create.js') },
  'artifacts list': { aliases: ['artifacts ls'], load: () => import('./artifacts/list.js') },
  'artifacts download': { load: () => import('./artifacts/download.js') },
  'tests list': { load: () => import('./tests/list.js') },
  'tests get': { load: () => import('./tests/get.js') },
  'tests find': { load: () => import('./tests/find.js') },
  'tests label': { load: () => import('./tests/label.js') },
  'pipelines list': { load: () => import('./pipelines/list.js') },
  'pipelines get': { load: () => import('./pipelines/get.js') },
  'organizations list': { load: () => import('./organizations/list.js') },
  'auth login': { load: () => import('./auth/login.js') },
  'auth status': { load: () => import('./auth/status.js') },
  'auth token': { load: () => import('./auth/token.js') },
  'auth logout': { load: () => import('./auth/logout.js') },
  'token mint': { aliases: ['token exchange'], load: () => import('./token/mint.js') },
  'token exec': { load: () => import('./token/exec.js') },
  'token inspect': { load: () => import('./token/inspect.js') },
  'keys generate': { load: () => import('./keys/generate.js') },
  'context list': { load: () => import('./context/list.js') },
  'context show': { load: () => import('./context/show.js') },
  'context use': { load: () => import('./context/use.js') },
  'context set': { load: () => import('./context/set.js') },
  'context delete': { load: () => import('./context/delete.js') },
  'server start': { raw: true, load: () => import('./server/start.js') },
  'server exec': { raw: true, load: () => import('./server/exec.js') },
  'server prove': { raw: true, load: () => import('./server/prove.js') },
  api: { load: () => import('./api.js') },
  completion: { load: () => import('./completion.js') },
  mcp: { load: () => import('./mcp.js') },
  doctor: { load: () => import('./doctor.js') },
  version: { load: () => import('./version.js') },
  help: { load: () => import('./help.js') },
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
