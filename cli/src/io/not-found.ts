import type { ApiError } from '@buildwire/sdk'
import type { Address, ErrorReport, RunFacts } from './error-report.js'
import { type Printable, say } from './printable.js'

/**
 * What was not found, in the words of the address that was asked, and the list in which it should
 * stand.
 */
export function describeNotFound(
  error: ApiError,
  found: ErrorReport,
  facts: RunFacts,
): ErrorReport {
  const replacement = facts.replaces?.[error.operationId]
  const address = addressOf(error.path)
  const asked = found.lines?.slice(0, 1) ?? []
  const word = /^No (\w+) found/u.exec(found.detail ?? '')?.[1]
  const server = serverOf(error.operationId, facts)
  // Paths bring their version themselves.
  const isDoubled = word === undefined && server !== null && /\/v\d+$/u.test(server.value)
  if (word === undefined && replacement !== undefined && !isDoubled) {
    const message = say`this server does not offer ${error.operationId}`
    return { ...found, message, lines: [...asked, replacement(address)] }
  }
  // Not even a message, or no such path: whoever answered is not this API, or its address is
  // another one.
  if ((found.detail === undefined || isDoubled) && server !== null) {
    const line = say`This is not how the API answers; is ${server.value} (${server.source}) its address?`
    return {
      ...found,
      message: say`not found`,
      lines: [...asked, line],
      hint: ['doctor', '--offline'],
    }
  }
  const { org = '', pipeline = '', number = '', suite = '', test = '' } = address
  const sought =
    error.operationId === 'tests.find' ? 'test of this scope and name' : say`test ${test}`
  const things: Readonly<
    Record<string, { asked: string; what: Printable; hint?: readonly string[] }>
  > = {
    organization: { asked: org, what: say`organization ${org} not found`, hint: ORGANIZATIONS },
    pipeline: {
      asked: pipeline,
      what: say`pipeline ${pipeline} not found in organization ${org}`,
      hint: nearestList({ org, pipeline }),
    },
    build: {
      asked: number,
      what: say`build ${number} not found in pipeline ${org}/${pipeline}`,
      hint: nearestList({ ...address, job: undefined }),
    },
    suite: { asked: suite, what: say`suite ${suite} not found in organization ${org}` },
    test: {
      asked: test,
      what: say`${sought} not found in suite ${suite}`,
      hint: nearestList(address),
    },
  }
  const thing = things[word ?? '']
  const { what, hint } = thing?.asked
    ? thing
    : { what: say`${word === undefined ? '' : `${word} `}not found`, hint: nearestList(address) }
  const slug = say`The slug of a suite is the word behind /suites/ in the address of its page`
  const lines = thing === things.suite && suite !== '' ? [...asked, slug] : found.lines
  return { ...found, message: say`${what}, or your user cannot see it`, lines, hint }
}

/** The server that an operation asks. */
export function serverOf(
  operationId: string | undefined,
  { authUrl, baseUrl }: RunFacts,
): RunFacts['baseUrl'] {
  return operationId?.startsWith('oauth.') ? authUrl : baseUrl
}

const ORGANIZATIONS = ['organizations', 'list']

/** The command that lists what the address goes through last. */
function nearestList({ org, pipeline, number, suite, test, job }: Address): string[] {
  if (org === undefined) return ['doctor']
  if (job !== undefined && number !== undefined)
    return ['builds', 'get', `${org}/${pipeline}#${number}`]
  if (number !== undefined) return ['builds', 'list', '-p', `${org}/${pipeline}`]
  if (pipeline !== undefined) return ['pipelines', 'list', '--org', org]
  if (test !== undefined && suite !== undefined)
    return ['tests', 'list', '--org', org, '--suite', suite]
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
