import { strict as assert } from 'node:assert'
import { buildsPath, pipelinePath } from '../probe.js'
import {
  ask,
  type ConformanceRow,
  expectRefusal,
  expectStatus,
  NotApplicable,
  rowsOf,
  type Target,
} from '../target.js'

/** A build in the form that these rows read. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any server, judged field by field
export type Build = any

export const idsOf = (builds: readonly Build[]): readonly string[] => builds.map(({ id }) => id)

export async function listed(
  target: Target,
  query = '',
  path = buildsPath(target),
): Promise<readonly Build[]> {
  const answer = await ask(target, `${path}?${query}`)
  expectStatus(answer, 200)
  assert.ok(Array.isArray(answer.json), 'a list is a bare array')
  return answer.json
}

/**
 * The builds of a list that is not empty: a row that checks each build proves nothing for an empty
 * list.
 */
export async function shown(
  target: Target,
  query = '',
  path = buildsPath(target),
): Promise<readonly Build[]> {
  const builds = await listed(target, query, path)
  if (builds.length === 0) throw new NotApplicable(`${path}?${query} shows no build`)
  return builds
}

export async function newest(
  target: Target,
  fits: (build: Build) => boolean = () => true,
): Promise<Build> {
  const found = (await listed(target, 'per_page=100')).find(fits)
  if (found === undefined)
    throw new NotApplicable(`no such build among the newest of ${target.pipeline}`)
  return found
}

/** ISO 8601 with an offset, or the plain form that the documented API uses in one place. */
const zoned = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)? ?(Z|UTC|[+-]\d\d:?\d\d)$/

export function expectBuild(build: Build): void {
  assert.match(String(build.id), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.ok(Number.isSafeInteger(build.number) && build.number > 0, `number ${build.number}`)
  for (const key of ['url', 'web_url', 'state', 'commit', 'branch', 'created_at']) {
    assert.equal(typeof build[key], 'string', key)
  }
  for (const key of ['created_at', 'scheduled_at', 'started_at', 'finished_at']) {
    if (typeof build[key] === 'string') assert.match(build[key], zoned, key)
  }
  assert.equal(typeof build.blocked, 'boolean')
  assert.notEqual(build.state, 'blocked')
  assert.ok(build.env !== null && typeof build.env === 'object')
  assert.ok(build.meta_data !== null && typeof build.meta_data === 'object')
}

/** Rules for the representation of one build, for any server. */
export const anyBuildRows: readonly ConformanceRow[] = [
  ...rowsOf([], {
    'AB-get M api: a build is the same by its number, in the list, and at its own url': async (
      target,
    ) => {
      const build = await newest(target)
      for (const path of [`${buildsPath(target)}/${build.number}`, build.url]) {
        const answer = await ask(target, path)
        expectStatus(answer, 200)
        expectBuild(answer.json)
        for (const key of [
          'id',
          'number',
          'branch',
          'commit',
          'created_at',
          'url',
          'web_url',
          'source',
        ]) {
          assert.deepEqual(answer.json[key], build[key], key)
        }
        assert.equal(answer.json.pipeline.slug, target.pipeline)
        assert.equal(`${target.baseUrl}${pipelinePath(target)}`, answer.json.pipeline.url)
      }
    },
    'AB-get-uuid M api: a build is not found by its UUID, nor by an invalid number': async (
      target,
    ) => {
      const { id, number } = await newest(target)
      for (const name of [id, '0', `0${number}`, '-1', '1.0', '999999999']) {
        expectRefusal(await ask(target, `${buildsPath(target)}/${name}`), 404, 'No build found')
      }
    },
    'AB-get-jobs M api: get: exclude_jobs, job_states and include_test_engine change the response':
      async (target) => {
        const { number, jobs } = await newest(target, (one) => one.jobs?.length > 0)
        const get = async (query: string) =>
          (await ask(target, `${buildsPath(target)}/${number}?${query}`)).json
        assert.ok(!('jobs' in (await get('exclude_jobs=true'))))
        const [{ state }] = jobs
        const some = (await get(`job_states[]=${state}`)).jobs
        assert.ok(some.length > 0)
        for (const job of some) if (job.type !== 'waiter') assert.equal(job.state, state)
        assert.ok(!('test_engine' in (await get(''))))
        assert.ok(Array.isArray((await get('include_test_engine=true')).test_engine?.runs))
      },
    'AB-get-bad D wire/refusals: get refuses unknown job states, and lists the known ones': async (
      target,
    ) => {
      const { number } = await newest(target)
      const answer = await ask(
        target,
        `${buildsPath(target)}/${number}?job_states=nope,running&job_states=passed`,
      )
      expectStatus(answer, 400)
      const message = String(answer.json?.message)
      assert.match(
        message,
        /^Invalid states: nope,running\. Valid states are pending, waiting, .*, limited\.$/,
      )
    },
    'AB-job M api: jobs have one of four types, and script jobs have their documented fields':
      async (target) => {
        const { jobs, web_url } = await newest(target, (one) => one.jobs?.length > 0)
        for (const job of jobs) {
          assert.equal(typeof job.id, 'string')
          assert.ok(['script', 'waiter', 'manual', 'trigger'].includes(job.type), job.type)
          if (job.type !== 'script') continue
          assert.equal(typeof job.command, 'string')
          assert.equal(job.build_url, web_url)
          assert.ok(Array.isArray(job.agent_query_rules))
          assert.equal(typeof job.soft_failed, 'boolean')
          assert.equal(typeof job.retried, 'boolean')
          for (const key of ['log_url', 'raw_log_url', 'artifact_url', 'web_url'])
            assert.equal(typeof job[key], 'string')
          for (const key of [
            'exit_status',
            'signal',
            'signal_reason',
            'agent',
            'retried_in_job_id',
            'retry_source',
          ]) {
            assert.ok(key in job, key)
          }
        }
      },
    'AB-people M wire/records: creator and pipeline have their documented fields': async (
      target,
    ) => {
      const { creator, pipeline } = await newest(target, (one) => one.creator !== null)
      for (const key of ['id', 'name', 'email', 'avatar_url', 'created_at']) {
        assert.equal(typeof creator[key], 'string', key)
      }
      const texts = [
        'id',
        'url',
        'web_url',
        'name',
        'slug',
        'repository',
        'default_branch',
        'builds_url',
        'badge_url',
      ]
      for (const key of texts) assert.equal(typeof pipeline[key], 'string', key)
      assert.equal(typeof pipeline.provider?.webhook_url, 'string')
      const counts = [
        'scheduled_builds',
        'running_builds',
        'scheduled_jobs',
        'running_jobs',
        'waiting_jobs',
      ]
      for (const key of counts) assert.ok(Number.isInteger(pipeline[`${key}_count`]), key)
      for (const key of ['skip_queued_branch_builds', 'cancel_running_branch_builds']) {
        assert.equal(typeof pipeline[key], 'boolean', key)
      }
    },
  }),
  ...rowsOf('reader', {
    'AB-webhook M api: webhook_url is empty in every response for a token without write_pipelines':
      async (target) => {
        const builds = await ask(target, `${buildsPath(target)}?per_page=5`, { as: 'reader' })
        for (const build of builds.json) assert.equal(build.pipeline.provider.webhook_url, '')
        const build = await newest(target)
        const one = await ask(target, `${buildsPath(target)}/${build.number}`, { as: 'reader' })
        assert.equal(one.json.pipeline.provider.webhook_url, '')
      },
  }),
]
