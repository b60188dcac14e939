import * as sdk from '@buildwire/sdk'
import { describe, expect, test } from 'vitest'
import { operations } from '../../sdk/src/contract/operations.gen.js'

describe('there is a method for every operation', () => {
  const ci = new sdk.CiClient({ baseUrl: 'https://api.ci.example' })
  const functions: Readonly<Record<string, unknown>> = {
    'oauth.deviceAuthorization': sdk.requestDeviceAuthorization,
    'oauth.token': sdk.TokenExchange,
  }

  test.each(Object.keys(operations))('%s', (operationId) => {
    const found = operationId
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], ci)
    expect(functions[operationId] ?? found).toBeTypeOf('function')
  })

  test('and no method without one, but other ways to read a log or a file', () => {
    const methods = Object.entries(ci).flatMap(([noun, resource]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
        .filter((name) => name !== 'constructor')
        .map((name) => `${noun}.${name}`),
    )
    const more = methods.filter((name) => !Object.hasOwn(operations, name))
    expect(more).toEqual(['jobs.logStream', 'jobs.logTail', 'artifacts.content'])
  })
})

describe('options that cannot be used are refused at construction', () => {
  test.each<[object | undefined | null, string]>([
    [undefined, 'options'],
    [null, 'options'],
    [{}, 'baseUrl'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ timeoutMs: '5' }, 'timeoutMs'],
    [{ timeouts: { headersMs: -1 } }, 'timeouts.headersMs'],
    [{ maxRetries: -1 }, 'maxRetries'],
    [{ maxRetries: 1.5 }, 'maxRetries'],
    [{ maxRetryAfterMs: -1 }, 'maxRetryAfterMs'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes'],
    [{ auth: {} }, 'auth'],
    [{ auth: 5 }, 'auth'],
    [{ transport: {} }, 'transport'],
    [{ dispatcher: {} }, 'dispatcher'],
    [{ transport: () => {}, dispatcher: { dispatch: () => true } }, 'transport'],
    [{ middleware: [null] }, 'middleware'],
    [{ graphqlUrl: 'http://api.ci.example' }, 'graphqlUrl'],
  ])('%j', (options, option) => {
    const given =
      options === null || options === undefined ? options : { baseUrl: 'https://api.ci.example', ...options }
    if (option === 'baseUrl') Object.assign(given ?? {}, { baseUrl: undefined })
    const make = (): unknown => new sdk.CiClient(given as sdk.CiClientOptions)
    expect(make).toThrow(expect.objectContaining({ code: 'config', option }))
  })

  test('Infinity turns a limit off, and 0 retries are fine', () => {
    const off = Number.POSITIVE_INFINITY
    const options = {
      timeoutMs: off,
      timeouts: { connectMs: off, attemptMs: off },
      maxRetries: 0,
      maxRetryAfterMs: off,
    }
    expect(new sdk.CiClient({ baseUrl: 'https://api.ci.example', ...options })).toBeInstanceOf(sdk.CiClient)
  })
})
