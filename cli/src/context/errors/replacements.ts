import type { RunFacts } from '../../io/error-report.js'
import { type Printable, say } from '../../io/printable.js'
import type { ResourceAddress } from './address.js'

type Replacements = Readonly<Record<string, (at: ResourceAddress) => Printable>>

/**
 * What a user can do instead of an extension operation that the server does not offer, by
 * operation.
 */
export function replacements(command: RunFacts['command']): Replacements {
  function onBuild(verb: string, advice: string) {
    return ({ org = 'ORG', pipeline = 'SLUG', number = 'NUMBER' }: ResourceAddress) =>
      say`${advice}: ${command(['builds', verb, `${org}/${pipeline}#${number}`])}`
  }
  const page = onBuild('open', 'look at the page of the build')

  return {
    'jobs.get': onBuild('get', 'the build shows its jobs'),
    'jobs.retry': onBuild('retry', 'all failed jobs can be retried'),
    'jobs.unblock': onBuild('open', 'it can be unblocked on the page of the build'),
    'annotations.list': page,
    'annotations.create': page,
    'artifacts.list': page,
    'artifacts.listForJob': page,
    'artifacts.download': page,
    'user.get': () => say`@me needs it; use the id of the user: --creator UUID`,
    'organizations.list': () => say`name the organization instead: --org SLUG`,
    'pipelines.list': ({ org = 'ORG' }) => say`name the pipeline instead: -p ${org}/SLUG`,
    'pipelines.get': ({ org = 'ORG', pipeline = 'SLUG' }) => {
      const list = command(['builds', 'list', '-p', `${org}/${pipeline}`])
      return say`you can still list the builds: ${list}`
    },
    'accessToken.get': () => {
      const inspect = command(['token', 'inspect', '--offline'])
      return say`you can read the text of a token without a server: ${inspect}`
    },
    'accessToken.revoke': () =>
      say`the token is deleted here; it stays valid until you revoke it on the account page`,
  }
}
