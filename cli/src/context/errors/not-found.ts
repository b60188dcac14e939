import type { ApiError } from '@buildwire/sdk'
import type { ErrorReport, RunFacts } from '../../io/error-report.js'
import { type Printable, say } from '../../io/printable.js'
import { addressOf, type ResourceAddress, serverOf } from './address.js'
import { replacements } from './replacements.js'

interface MissingResource {
  readonly what: Printable
  readonly hint?: readonly string[]
  readonly lines?: readonly Printable[]
}

const ORGANIZATIONS = ['organizations', 'list']

/** Says which part of the address was not found, and which list should contain it. */
export function describeNotFound(
  error: ApiError,
  report: ErrorReport,
  facts: RunFacts,
): ErrorReport {
  const address = addressOf(error.path)
  const requestLine = report.lines?.slice(0, 1) ?? []
  const resource = /^No (\w+) found/u.exec(report.detail ?? '')?.[1]
  const server = serverOf(error.operationId, facts)
  // The paths of operations already contain the version.
  const hasDoubleVersion =
    resource === undefined && server !== null && /\/v\d+$/u.test(server.value)

  const replacement = replacements(facts.command)[error.operationId]
  if (resource === undefined && replacement !== undefined && !hasDoubleVersion) {
    const message = say`this server does not offer ${error.operationId}`
    return { ...report, message, lines: [...requestLine, replacement(address)] }
  }

  // Without the API's message another server answered, or this one has another address.
  const isOtherServer = report.detail === undefined || hasDoubleVersion
  if (isOtherServer && server !== null) {
    const source = say`${server.value} (${server.source})`
    const line = say`This is not a response of the API; is ${source} its address?`
    return {
      ...report,
      message: say`not found`,
      lines: [...requestLine, line],
      hint: ['doctor', '--offline'],
    }
  }

  const missing = missingResource(resource, error.operationId, address) ?? {
    what: say`${resource === undefined ? '' : `${resource} `}not found`,
    hint: nearestList(address),
  }
  return {
    ...report,
    message: say`${missing.what}, or your user cannot see it`,
    lines: missing.lines === undefined ? report.lines : [...requestLine, ...missing.lines],
    hint: missing.hint,
  }
}

/** The resource that the server's message names, by the address; null if that has no such part. */
function missingResource(
  resource: string | undefined,
  operationId: string,
  address: ResourceAddress,
): MissingResource | null {
  const { org = '', pipeline = '', number = '', suite = '', test = '' } = address
  if (resource === 'organization' && org !== '')
    return { what: say`organization ${org} not found`, hint: ORGANIZATIONS }
  if (resource === 'pipeline' && pipeline !== '') {
    return {
      what: say`pipeline ${pipeline} not found in organization ${org}`,
      hint: nearestList({ org, pipeline }),
    }
  }
  if (resource === 'build' && number !== '') {
    return {
      what: say`build ${number} not found in pipeline ${org}/${pipeline}`,
      hint: nearestList({ ...address, job: undefined }),
    }
  }
  if (resource === 'suite' && suite !== '') {
    return {
      what: say`suite ${suite} not found in organization ${org}`,
      lines: [say`The slug of a suite is the word behind /suites/ in the address of its page`],
    }
  }
  if (resource === 'test' && test !== '') {
    const sought = operationId === 'tests.find' ? 'test of this scope and name' : `test ${test}`
    return { what: say`${sought} not found in suite ${suite}`, hint: nearestList(address) }
  }
  return null
}

/** The command that lists the siblings of the last part of the address. */
function nearestList({
  org,
  pipeline,
  number,
  suite,
  test,
  job,
}: ResourceAddress): readonly string[] {
  if (org === undefined) return ['doctor']
  if (job !== undefined && number !== undefined)
    return ['builds', 'get', `${org}/${pipeline}#${number}`]
  if (number !== undefined) return ['builds', 'list', '-p', `${org}/${pipeline}`]
  if (pipeline !== undefined) return ['pipelines', 'list', '--org', org]
  if (test !== undefined && suite !== undefined)
    return ['tests', 'list', '--org', org, '--suite', suite]
  return ORGANIZATIONS
}
