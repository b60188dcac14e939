import type { ApiError } from '@buildwire/sdk'
import type { ErrorFacts, ErrorReport } from './error-report.js'

const TAIL = ', or your user cannot see it'

/** What was not found, in the words of the address that was asked, and the list in which it should stand. */
export function describeNotFound(error: ApiError, found: ErrorReport, facts: ErrorFacts): ErrorReport {
  const replacement = facts.replaces?.[error.operationId]
  const address = addressOf(error.path)
  const word = /^No (\w+) found/u.exec(found.detail ?? '')?.[1]
  if (word === undefined && replacement !== undefined) {
    return {
      ...found,
      message: `this server does not offer ${error.operationId}`,
      lines: [...found.lines.slice(0, 1), filledIn(replacement, address)],
    }
  }
  // Not even a message: whoever answered is not this API.
  const server = error.operationId.startsWith('oauth.') ? facts.authUrl : facts.baseUrl
  if (found.detail === null && server !== null) {
    const line = `This is not how the API answers; is ${server.value} (${server.source}) its address?`
    return { ...found, message: 'not found', lines: [...found.lines.slice(0, 1), line], hint: HINTS.offline }
  }
  const { org, pipeline, number, suite, test } = address
  const said = (message: string, hint: string) => ({ ...found, message: message + TAIL, hint })
  if (word === 'organization' && org !== undefined) return said(`organization ${org} not found`, HINTS.organization)
  if (word === 'pipeline' && pipeline !== undefined) {
    return said(`pipeline ${pipeline} not found in organization ${org}`, `ci pipelines list --org ${org}`)
  }
  if (word === 'build' && number !== undefined) {
    return said(`build ${number} not found in pipeline ${org}/${pipeline}`, `ci builds list -p ${org}/${pipeline}`)
  }
  if (word === 'suite' && suite !== undefined) {
    const line = 'The slug of a suite is the word behind /suites/ in the address of its page'
    const report = said(`suite ${suite} not found in organization ${org}`, HINTS.organization)
    return { ...report, lines: [...found.lines.slice(0, 1), line] }
  }
  if (word === 'test' && test !== undefined) {
    return said(`test ${test} not found in suite ${suite}`, `ci tests list --org ${org} --suite ${suite}`)
  }
  return said(word === undefined ? 'not found' : `${word} not found`, nearestList(address))
}

const HINTS = { organization: 'ci organizations list', none: 'ci doctor', offline: 'ci doctor --offline' }

interface Address {
  readonly org?: string | undefined
  readonly pipeline?: string | undefined
  readonly number?: string | undefined
  readonly suite?: string | undefined
  readonly test?: string | undefined
  readonly job?: string | undefined
}

/** The command that lists what the address goes through last. */
function nearestList({ org, pipeline, number, suite, test, job }: Address): string {
  if (org === undefined) return HINTS.none
  if (job !== undefined && number !== undefined) return `ci builds get ${org}/${pipeline}#${number}`
  if (number !== undefined) return `ci builds list -p ${org}/${pipeline}`
  if (pipeline !== undefined) return `ci pipelines list --org ${org}`
  if (test !== undefined) return `ci tests list --org ${org} --suite ${suite}`
  return HINTS.organization
}

function filledIn(text: string, { org, pipeline, number, job }: Address): string {
  return text
    .replace('ORG/SLUG', org === undefined ? 'ORG/SLUG' : `${org}/${pipeline ?? 'SLUG'}`)
    .replace('NUMBER', number === undefined ? 'NUMBER' : `${org}/${pipeline}#${number}`)
    .replace('NAME', job ?? 'NAME')
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
