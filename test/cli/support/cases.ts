/** A command line of a command, and its main operation. */
export interface CommandCase {
  readonly name: string
  readonly argv: readonly string[]
  readonly operation: string
  readonly scope: string
  /** The kind of output: a list, one record, bytes of an answer, or a page in the browser. */
  readonly prints: 'list' | 'record' | 'bytes' | 'page'
  /**
   * The operation makes or starts something, so the error for a lost answer says that it may have
   * happened.
   */
  readonly makes?: boolean
}

const TEST = '00000000-0000-4000-8000-000000000001'

/**
 * Every command with one main request. Builds and tests need not exist, because faults happen
 * before they are looked up.
 */
export const commandCases: readonly CommandCase[] = (
  [
    ['builds list', 'builds.listForPipeline', 'read_builds', 'list', ['-p', 'acme/web', '-L', '2']],
    [
      'builds list (organization)',
      'builds.listForOrganization',
      'read_builds',
      'list',
      ['--org', 'acme', '-L', '2'],
    ],
    ['builds list (all)', 'builds.list', 'read_builds', 'list', ['--all-orgs', '-L', '2']],
    ['builds get', 'builds.get', 'read_builds', 'record', ['acme/web#@latest']],
    [
      'builds create',
      'builds.create',
      'write_builds',
      'record',
      ['-p', 'acme/web', '-b', 'main', '-c', 'HEAD'],
      true,
    ],
    ['builds cancel', 'builds.cancel', 'write_builds', 'record', ['acme/web#@latest']],
    ['builds rebuild', 'builds.rebuild', 'write_builds', 'record', ['acme/web#@latest'], true],
    [
      'builds retry',
      'builds.retryFailedJobs',
      'write_builds',
      'record',
      ['acme/web#@latest'],
      true,
    ],
    ['builds open', 'builds.get', 'read_builds', 'page', ['acme/web#@latest']],
    ['status', 'builds.listForOrganization', 'read_builds', 'list', []],
    ['browse', 'builds.get', 'read_builds', 'page', ['acme/web#@latest']],
    ['jobs list', 'builds.get', 'read_builds', 'list', ['acme/web#926']],
    ['jobs get', 'jobs.get', 'read_builds', 'record', ['acme/web#926', '--job', 'lint']],
    ['jobs retry', 'jobs.retry', 'write_builds', 'record', ['acme/web#926', '--job', 'lint'], true],
    ['jobs unblock', 'jobs.unblock', 'write_builds', 'record', ['acme/web#926', '--job', 'lint']],
    ['annotations list', 'annotations.list', 'read_builds', 'list', ['acme/web#926', '-L', '2']],
    [
      'annotations create',
      'annotations.create',
      'write_builds',
      'record',
      ['acme/web#926', '--body', 'One test failed'],
      true,
    ],
    ['artifacts list', 'artifacts.list', 'read_artifacts', 'list', ['acme/web#926', '-L', '2']],
    [
      'tests list',
      'tests.list',
      'read_suites',
      'list',
      ['--org', 'acme', '--suite', 'web-unit', '-L', '2'],
    ],
    [
      'tests get',
      'tests.get',
      'read_suites',
      'record',
      [TEST, '--org', 'acme', '--suite', 'web-unit'],
    ],
    [
      'tests find',
      'tests.find',
      'read_suites',
      'record',
      ['--org', 'acme', '--suite', 'web-unit', '--scope', 'Cart', '--name', 'adds'],
    ],
    [
      'tests label',
      'tests.changeLabels',
      'write_suites',
      'record',
      [TEST, '--org', 'acme', '--suite', 'web-unit', '--add', 'flaky'],
    ],
    ['pipelines list', 'pipelines.list', 'read_pipelines', 'list', ['--org', 'acme', '-L', '2']],
    ['pipelines get', 'pipelines.get', 'read_pipelines', 'record', ['acme/web']],
    ['organizations list', 'organizations.list', 'read_organizations', 'list', []],
    ['api', 'pipelines.list', 'read_pipelines', 'bytes', ['organizations/acme/pipelines']],
  ] as const
).map(([name, operation, scope, prints, argv, makes]) => ({
  name,
  operation,
  scope,
  prints,
  argv,
  ...(makes && { makes }),
}))

/** The command line of a case. */
export function wordsOf({ name, argv }: CommandCase): string[] {
  return [...name.replace(/ \(.*\)$/u, '').split(' '), ...argv]
}
