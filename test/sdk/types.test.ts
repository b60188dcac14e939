import type * as sdk from '@buildwire/sdk'
import { CiClient, isCiError } from '@buildwire/sdk'
import { expectTypeOf, test } from 'vitest'

// Checked by the compiler: a wrong type is an error of `tsc`, whatever happens at run time.
const ci = new CiClient({ baseUrl: 'https://api.ci.example' })
const path = { org_slug: 'acme', pipeline_slug: 'web' }

test('calls and lists', () => {
  expectTypeOf(ci.builds.get).returns.toEqualTypeOf<sdk.ApiPromise<sdk.Build>>()
  expectTypeOf(ci.builds.list).returns.toEqualTypeOf<sdk.PagePromise<sdk.Build>>()
  expectTypeOf<Awaited<sdk.PagePromise<sdk.TestRecord>>>().toEqualTypeOf<sdk.Page<sdk.TestRecord>>()
  expectTypeOf<Awaited<sdk.ApiPromise<string>>>().toEqualTypeOf<string>()
  expectTypeOf(ci.jobs.logText).returns.resolves.toBeString()
  expectTypeOf(ci.accessToken.revoke).returns.resolves.toBeUndefined()
  expectTypeOf(ci.builds.retryFailedJobs).returns.resolves.toHaveProperty('retried_jobs_count')
})

test('params', () => {
  expectTypeOf(ci.builds.list)
    .parameter(0)
    .toExtend<{ branch?: string | readonly string[] | undefined } | undefined>()
  expectTypeOf<typeof path & { number: number }>().toExtend<Parameters<typeof ci.builds.get>[0]>()
  expectTypeOf<typeof path & { number: string }>().not.toExtend<
    Parameters<typeof ci.builds.get>[0]
  >()
  expectTypeOf<typeof path>().not.toExtend<Parameters<typeof ci.builds.create>[0]>()
  expectTypeOf<{ state: 'finished' }>().toExtend<
    NonNullable<Parameters<typeof ci.builds.list>[0]>
  >()
  expectTypeOf<{ created_from: Date }>().toExtend<
    NonNullable<Parameters<typeof ci.builds.list>[0]>
  >()
  expectTypeOf<{ states: ['failed'] }>().not.toExtend<
    Parameters<typeof ci.builds.retryFailedJobs>[0]
  >()
})

test('records are open', () => {
  expectTypeOf<'a_new_state'>().toExtend<sdk.Build['state']>()
  expectTypeOf<sdk.Build['state']>().toBeString()
})

test('isCiError narrows by code', () => {
  const error: unknown = undefined
  if (isCiError(error)) expectTypeOf(error).toEqualTypeOf<sdk.CiError>()
  if (isCiError(error, 'config')) expectTypeOf(error).toExtend<sdk.ConfigError>()
  if (isCiError(error, 'rate_limited')) expectTypeOf(error).toExtend<sdk.RateLimitError>()
  if (isCiError(error, 'unprocessable'))
    expectTypeOf(error.errors).toEqualTypeOf<sdk.UnprocessableError['errors']>()
  if (isCiError(error, 'not_found'))
    expectTypeOf(error).toExtend<sdk.ApiError & { readonly code: 'not_found' }>()
  if (isCiError(error, 'oauth_error')) expectTypeOf(error).toExtend<sdk.OAuthError>()
  if (isCiError(error, 'device_authorization'))
    expectTypeOf(error).toExtend<sdk.DeviceAuthorizationError>()
  if (isCiError(error, 'page_loop')) expectTypeOf(error).toExtend<sdk.PaginationError>()
  expectTypeOf<'no_such_code'>().not.toExtend<sdk.CiErrorCode>()
})

test('and so does a switch over the code of any error', () => {
  const lookAt = (error: sdk.CiError): unknown => {
    switch (error.code) {
      case 'unprocessable':
        return expectTypeOf(error.errors).toEqualTypeOf<sdk.UnprocessableError['errors']>()
      case 'rate_limited':
        return expectTypeOf(error.retryAfterMs).toBeNumber()
      case 'insufficient_scope':
        return expectTypeOf(error).toExtend<sdk.ApiError>()
      case 'timeout':
        return expectTypeOf(error.kind).toEqualTypeOf<sdk.TimeoutKind>()
      default:
        return expectTypeOf(error).not.toExtend<sdk.UnprocessableError>()
    }
  }
  expectTypeOf(lookAt).parameter(0).toHaveProperty('message')
})

test('closed unions', () => {
  expectTypeOf<Extract<sdk.WaitOutcome, 'timeout' | 'unknown'>>().toEqualTypeOf<
    'timeout' | 'unknown'
  >()
  expectTypeOf<Extract<sdk.CiEvent, { type: 'rate_limit' }>['window']>().toEqualTypeOf<
    'organization' | 'user'
  >()
})
