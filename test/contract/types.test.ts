import {
  type Agent,
  BUILD_STATES,
  type Build,
  type BuildPath,
  type BuildState,
  type BuildStateFilter,
  type CreateBuildBody,
  type GetBuildQuery,
  type Job,
  type JobStateFilter,
  type ListBuildsParams,
  type OperationId,
  type OperationTypes,
  operations,
  type PipelinePath,
  type RetryState,
  SCOPES,
  type TokenRequest,
} from '@buildwire/sdk/contract'
import { describe, expect, expectTypeOf, it } from 'vitest'

describe('types', () => {
  it('have open enums in responses and closed enums in requests', () => {
    expectTypeOf<'painted'>().toExtend<BuildState>()
    expectTypeOf<'painted'>().not.toExtend<BuildStateFilter>()
    expectTypeOf<(typeof BUILD_STATES)[number]>().toEqualTypeOf<BuildStateFilter>()
  })

  it('show which fields may be null or absent', () => {
    expectTypeOf<Build['message']>().toEqualTypeOf<string | null>()
    expectTypeOf<Build['jobs']>().toEqualTypeOf<Job[] | undefined>()
    expectTypeOf<Build['number']>().toEqualTypeOf<number>()
    expectTypeOf<Job['agent']>().toEqualTypeOf<Agent | null | undefined>()
  })

  it('make params one flat object', () => {
    expectTypeOf<BuildPath>().toEqualTypeOf<{
      org_slug: string
      pipeline_slug: string
      number: number
    }>()
    expectTypeOf<PipelinePath & CreateBuildBody>().toExtend<
      OperationTypes['builds.create']['params']
    >()
    expectTypeOf<BuildPath & GetBuildQuery>().toExtend<OperationTypes['builds.get']['params']>()
    expectTypeOf<GetBuildQuery['job_states']>().toEqualTypeOf<
      JobStateFilter | readonly JobStateFilter[] | undefined
    >()
    expectTypeOf<ListBuildsParams['created_from']>().toEqualTypeOf<string | Date | undefined>()
    expectTypeOf<OperationTypes['builds.retryFailedJobs']['params']['states']>().toEqualTypeOf<
      RetryState | readonly RetryState[] | undefined
    >()
    expectTypeOf<
      Extract<TokenRequest, { grant_type: 'refresh_token' }>['refresh_token']
    >().toEqualTypeOf<string>()
  })

  it('map every operation', () => {
    expectTypeOf<keyof OperationTypes>().toEqualTypeOf<OperationId>()
    expectTypeOf<OperationTypes['builds.list']['result']>().toEqualTypeOf<Build[]>()
    expectTypeOf<OperationTypes['accessToken.revoke']['result']>().toEqualTypeOf<undefined>()
    expectTypeOf<OperationTypes['jobs.logText']['result']>().toEqualTypeOf<string>()
  })
})

describe('words', () => {
  it('are those of the API, in its order', () => {
    expect(BUILD_STATES.join(' ')).toBe(
      'creating scheduled running passed failing failed blocked canceling canceled skipped not_run waiting waiting_failed finished',
    )
    expect(SCOPES.join(' ')).toBe(
      'read_builds write_builds read_build_logs read_artifacts read_suites write_suites read_pipelines write_pipelines read_user read_organizations graphql',
    )
  })

  it('include the scope of every operation', () => {
    for (const { scope, id } of Object.values(operations)) {
      if (scope !== null) expect(SCOPES, id).toContain(scope)
    }
  })
})
