import type { Capability, Lacks } from './capabilities.js'
import { type ApiRequest, type ApiResponse, ask, type Target } from './target.js'

type Probe = (target: Target) => Promise<string | undefined>

const given = (value: unknown, key: string): string | undefined =>
  value === undefined ? `the configuration has no ${key}` : undefined

/**
 * A path is not served if it answers 404 or 405 to the token with the most rights. A path without
 * any response counts as served, and its rows fail.
 */
const served =
  (pathOf: (target: Target) => string, asked: ApiRequest = {}): Probe =>
  async (target) => {
    const { status } = await ask(target, pathOf(target), asked).catch(() => ({ status: 0 }))
    return [404, 405, 501].includes(status)
      ? `${asked.method ?? 'GET'} ${pathOf(target)} answers ${status}`
      : undefined
  }

/** A list below a build, requested for the newest build. */
const ofNewestBuild =
  (list: string): Probe =>
  async (target) => {
    const { json } = await ask(target, `${buildsPath(target)}?per_page=1`)
    const number = json?.[0]?.number
    return number === undefined
      ? 'there is no build'
      : served(() => `${buildsPath(target)}/${number}/${list}`)(target)
  }

/**
 * A token with more rights than the configuration says: rows would blame the server for what it
 * permits.
 */
const limited =
  (name: string, isFit: (scopes: readonly unknown[]) => boolean): Probe =>
  async (target) => {
    if (target.tokens[name] === undefined) return given(undefined, `tokens.${name}`)
    const { json } = await ask(target, '/v2/access-token', { as: name })
    const scopes = json?.scopes
    return !Array.isArray(scopes) || isFit(scopes)
      ? undefined
      : `tokens.${name} has ${scopes.join(' ')}`
  }

const probes: Readonly<Record<Capability, Probe>> = {
  seed: async ({ control }) => given(control, 'control'),
  writes: async ({ allowWrites }) =>
    allowWrites ? undefined : 'the configuration does not allow writes',
  reader: limited('reader', (scopes) => scopes.join() === 'read_builds'),
  bare: limited(
    'bare',
    (scopes) => !scopes.includes('read_builds') && !scopes.includes('write_builds'),
  ),
  secondOrganization: async ({ secondOrganization }) =>
    given(secondOrganization, 'secondOrganization'),
  async suite(target) {
    if (target.suite === undefined) return given(undefined, 'suite')
    const { status, json } = await ask(target, `${suitePath(target)}?per_page=1`)
    return status === 200 && json?.length === 1
      ? undefined
      : `suite ${target.suite} shows no test record (${status})`
  },
  deviceApplication: async ({ applications }) => given(applications.device, 'applications.device'),
  confidentialApplication: async ({ applications }) =>
    given(applications.confidential, 'applications.confidential'),
  exchangeApplication: async ({ applications }) =>
    given(applications.exchange, 'applications.exchange'),
  async threeBuilds(target) {
    const { status, json } = await ask(target, `${buildsPath(target)}?per_page=3`)
    return status === 200 && json?.length === 3
      ? undefined
      : `pipeline ${target.pipeline} shows fewer (${status})`
  },
  user: served(() => '/v2/user'),
  accessToken: served(() => '/v2/access-token'),
  organizations: served(() => '/v2/organizations'),
  pipelines: served(({ org }) => `/v2/organizations/${org}/pipelines`),
  jobLogs: async (target) =>
    (await logPath(target)) === undefined
      ? 'none of the newest builds has a job with a log'
      : undefined,
  jobs: async (target) => {
    const path = await jobPath(target)
    return path === undefined ? 'none of the newest builds has a job' : served(() => path)(target)
  },
  annotations: ofNewestBuild('annotations'),
  artifacts: ofNewestBuild('artifacts'),
  graphql: served(() => '/graphql', { method: 'POST', json: { query: '{ __typename }' } }),
}

/**
 * Finds out the capabilities of a server. Rows that need a missing capability are not applicable,
 * and never passed.
 */
export async function probe(target: Target): Promise<Lacks> {
  const lacks = new Map<Capability, string>()
  for (const [capability, lacking] of Object.entries(probes)) {
    const why = await lacking(target).catch(
      (error: unknown) => `asked for it, the kit met: ${String(error)}`,
    )
    if (why !== undefined) lacks.set(capability as Capability, why)
  }
  return lacks
}

export const organizationPath = ({ org }: Target): string => `/v2/organizations/${org}`
export const pipelinePath = (target: Target): string =>
  `${organizationPath(target)}/pipelines/${target.pipeline}`
export const buildsPath = (target: Target): string => `${pipelinePath(target)}/builds`
export const suitePath = ({ org, suite }: Target): string =>
  `/v2/analytics/organizations/${org}/suites/${suite}/tests`

/** Paths of one script job of each of the newest builds. */
async function jobPaths(target: Target): Promise<readonly string[]> {
  const { json }: ApiResponse = await ask(target, `${buildsPath(target)}?per_page=10`)
  return (Array.isArray(json) ? json : []).flatMap((build) => {
    const job = build?.jobs?.find(({ type }: { type: string }) => type === 'script')
    return job === undefined ? [] : [`${buildsPath(target)}/${build.number}/jobs/${job.id}`]
  })
}

const jobPath = async (target: Target): Promise<string | undefined> => (await jobPaths(target))[0]

/** Path of the log of a script job among the newest builds. */
async function logPath(target: Target): Promise<string | undefined> {
  for (const path of await jobPaths(target))
    if ((await ask(target, `${path}/log`)).status === 200) return `${path}/log`
  return undefined
}
