import type { ApiError } from '@buildwire/sdk'
import type { Address, ErrorFacts, ErrorReport } from './error-report.js'
import { type Printable, say } from './printable.js'

/** What was not found, in the words of the address that was asked, and the list in which it should stand. */
export function describeNotFound(error: ApiError, found: ErrorReport, facts: ErrorFacts): ErrorReport {
  const replacement = facts.replaces?.[error.operationId]
  const address = addressOf(error.path)
  const asked = found.lines.slice(0, 1)
  const word = /^No (\w+) found/u.exec(found.detail ?? '')?.[1]
  if (word === undefined && replacement !== undefined) {
    const message = say`this server does not offer ${error.operationId}`
    return { ...found, message, lines: [...asked, replacement(address)] }
  }
  // Not even a message: whoever answered is not this API.
  const server = error.operationId.startsWith('oauth.') ? facts.authUrl : facts.baseUrl
  if (found.detail === null && server !== null) {
    const line = say`This is not how the API answers; is ${server.value} (${server.source}) its address?`
    return { ...found, message: say`not found`, lines: [...asked, line], hint: ['doctor', '--offline'] }
  }
  const { org, pipeline, number, suite, test } = address
  const said = (what: Printable, hint: readonly string[] | null) => {
    return { ...found, message: say`${what}, or your user cannot see it`, hint }
  }
  if (word === 'organization' && org !== undefined) return said(say`organization ${org} not found`, ORGANIZATIONS)
  if (word === 'pipeline' && pipeline !== undefined) {
    return said(say`pipeline ${pipeline} not found in organization ${org ?? ''}`, nearestList({ org, pipeline }))
  }
  if (word === 'build' && number !== undefined) {
    return said(
      say`build ${number} not found in pipeline ${org ?? ''}/${pipeline ?? ''}`,
      nearestList({ ...address, job: undefined }),
    )
  }
  if (word === 'suite' && suite !== undefined) {
    const line = say`The slug of a suite is the word behind /suites/ in the address of its page`
    return {
      ...said(say`suite ${suite} not found in organization ${org ?? ''}`, null),
      lines: [...asked, line],
    }
  }
  if (word === 'test' && test !== undefined) {
    return said(say`test ${test} not found in suite ${suite ?? ''}`, nearestList(address))
  }
  return said(word === undefined ? say`not found` : say`${word} not found`, nearestList(address))
}

const ORGANIZATIONS = ['organizations', 'list']

/** The command that lists what the address goes through last. */
function nearestList({ org, pipeline, number, suite, test, job }: Address): string[] {
  if (org === undefined) return ['doctor']
  if (job !== undefined && number !== undefined) return ['builds', 'get', `${org}/${pipeline}#${number}`]
  if (number !== undefined) return ['builds', 'list', '-p', `${org}/${pipeline}`]
  if (pipeline !== undefined) return ['pipelines', 'list', '--org', org]
  if (test !== undefined && suite !== undefined) return ['tests', 'list', '--org', org, '--suite', suite]
  return ORGANIZATIONS
}

function addressOf(path: string): Address {
  const part = (name: string) => {
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
