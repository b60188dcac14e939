/** A command line of each command that asks the server, and the operation that does its work. */
export interface CommandCase {
  readonly name: string
  readonly argv: readonly string[]
  readonly operation: string
  readonly scope: string
  /** The kind of output: a list, one record, or what the command says itself. */
  readonly prints: 'list' | 'record' | 'bytes' | 'page'
  /** The operation makes or starts something, so a lost answer must say that it may have happened. */
  readonly makes?: boolean
}

const TEST = '00000000-0000-4000-8000-000000000001'

/** Every command with one main request. Builds and tests need not exist: faults come before they matter. */
export const commandCases: readonly CommandCase[] = [
  {
    name: 'builds list',
    argv: ['-p', 'acme/web', '-L', '2'],
    operation: 'builds.listForPipeline',
    scope: 'read_builds',
    prints: 'list',
  },
  {
    name: 'builds list (organization)',
    argv: ['--org', 'acme', '-L', '2'],
    operation: 'builds.listForOrganization',
    scope: 'read_builds',
    prints: 'list',
  },
  {
    name: 'builds list (all)',
    argv: ['--all-orgs', '-L', '2'],
    operation: 'builds.list',
    scope: 'read_builds',
    prints: 'list',
  },
  { name: 'builds get', argv: ['acme/web#@latest'], operation: 'builds.get', scope: 'read_builds', prints: 'record' },
  {
    name: 'builds create',
    argv: ['-p', 'acme/web', '-b', 'main', '-c', 'HEAD'],
    operation: 'builds.create',
    scope: 'write_builds',
    prints: 'record',
    makes: true,
  },
  {
    name: 'builds cancel',
    argv: ['acme/web#@latest'],
    operation: 'builds.cancel',
    scope: 'write_builds',
    prints: 'record',
  },
  {
    name: 'builds rebuild',
    argv: ['acme/web#@latest'],
    operation: 'builds.rebuild',
    scope: 'write_builds',
    prints: 'record',
    makes: true,
  },
  {
    name: 'builds retry',
    argv: ['acme/web#@latest'],
    operation: 'builds.retryFailedJobs',
    scope: 'write_builds',
    prints: 'record',
    makes: true,
  },
  { name: 'builds open', argv: ['acme/web#@latest'], operation: 'builds.get', scope: 'read_builds', prints: 'page' },
  {
    name: 'jobs get',
    argv: ['acme/web#926', '--job', 'lint'],
    operation: 'jobs.get',
    scope: 'read_builds',
    prints: 'record',
  },
  {
    name: 'jobs retry',
    argv: ['acme/web#926', '--job', 'lint'],
    operation: 'jobs.retry',
    scope: 'write_builds',
    prints: 'record',
    makes: true,
  },
  {
    name: 'jobs unblock',
    argv: ['acme/web#926', '--job', 'lint'],
    operation: 'jobs.unblock',
    scope: 'write_builds',
    prints: 'record',
  },
  {
    name: 'annotations list',
    argv: ['acme/web#926', '-L', '2'],
    operation: 'annotations.list',
    scope: 'read_builds',
    prints: 'list',
  },
  {
    name: 'annotations create',
    argv: ['acme/web#926', '--body', 'One test failed'],
    operation: 'annotations.create',
    scope: 'write_builds',
    prints: 'record',
    makes: true,
  },
  {
    name: 'artifacts list',
    argv: ['acme/web#926', '-L', '2'],
    operation: 'artifacts.list',
    scope: 'read_artifacts',
    prints: 'list',
  },
  {
    name: 'tests list',
    argv: ['--org', 'acme', '--suite', 'web-unit', '-L', '2'],
    operation: 'tests.list',
    scope: 'read_suites',
    prints: 'list',
  },
  {
    name: 'tests get',
    argv: [TEST, '--org', 'acme', '--suite', 'web-unit'],
    operation: 'tests.get',
    scope: 'read_suites',
    prints: 'record',
  },
  {
    name: 'tests find',
    argv: ['--org', 'acme', '--suite', 'web-unit', '--scope', 'Cart', '--name', 'adds'],
    operation: 'tests.find',
    scope: 'read_suites',
    prints: 'record',
  },
  {
    name: 'tests label',
    argv: [TEST, '--org', 'acme', '--suite', 'web-unit', '--add', 'flaky'],
    operation: 'tests.changeLabels',
    scope: 'write_suites',
    prints: 'record',
  },
  {
    name: 'pipelines list',
    argv: ['--org', 'acme', '-L', '2'],
    operation: 'pipelines.list',
    scope: 'read_pipelines',
    prints: 'list',
  },
  { name: 'pipelines get', argv: ['acme/web'], operation: 'pipelines.get', scope: 'read_pipelines', prints: 'record' },
  {
    name: 'organizations list',
    argv: [],
    operation: 'organizations.list',
    scope: 'read_organizations',
    prints: 'list',
  },
  {
    name: 'api',
    argv: ['organizations/acme/pipelines'],
    operation: 'pipelines.list',
    scope: 'read_pipelines',
    prints: 'bytes',
  },
]

/** The words that call a case's command. */
export function wordsOf({ name, argv }: CommandCase): string[] {
  return [...name.replace(/ \(.*\)$/u, '').split(' '), ...argv]
}
