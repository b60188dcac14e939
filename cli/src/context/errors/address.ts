import type { CiError } from '@buildwire/sdk'
import type { RunFacts } from '../../io/error-report.js'

/** The parts of a resource's path. */
export type ResourceAddress = {
  readonly [Part in 'org' | 'pipeline' | 'number' | 'suite' | 'test' | 'job']?: string | undefined
}

/** The address in the path of a request. */
export function addressOf(path: string): ResourceAddress {
  const part = (name: string) => {
    // Bound: the path of a request that this program made.
    const match = new RegExp(`/${name}/([^/?]+)`, 'u').exec(path)
    return match?.[1] === undefined ? undefined : decodeURIComponent(match[1])
  }
  return {
    org: part('organizations'),
    pipeline: part('pipelines'),
    number: part('builds'),
    suite: part('suites'),
    test: part('tests'),
    job: part('jobs'),
  }
}

/**
 * The origin of the storage that an error is about; null for an error about the API. The rest of a
 * storage's address is signed and works as a key, so no error has it.
 */
export function storageOrigin({ operationId, summary }: Pick<CiError, 'operationId' | 'summary'>) {
  if (operationId !== 'artifacts.download') return null
  return /^GET (https?:\/\/[^/\s]+)\/… /u.exec(summary)?.[1] ?? null
}

/** The server that an operation's request goes to; null before the settings are read. */
export function serverOf(
  operationId: string | undefined,
  { authUrl, baseUrl }: RunFacts,
): RunFacts['baseUrl'] {
  return operationId?.startsWith('oauth.') ? authUrl : baseUrl
}
