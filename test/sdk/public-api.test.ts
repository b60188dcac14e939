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

describe('options of a client', () => {
  const baseUrl = 'https://api.ci.example'
  test.each<[object | undefined | null, string]>([
    [undefined, 'options'],
    [null, 'options'],
    [{}, 'baseUrl'],
    [{ baseUrl, timeouts: { headersMs: -1 } }, 'timeouts.headersMs'],
    [{ baseUrl, transport: () => {}, dispatcher: { dispatch: () => true } }, 'transport'],
    [{ baseUrl, graphqlUrl: 'http://api.ci.example' }, 'graphqlUrl'],
  ])('%j are refused', (options, option) => {
    const make = (): unknown => new sdk.CiClient(options as sdk.CiClientOptions)
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
    expect(new sdk.CiClient({ baseUrl, ...options })).toBeInstanceOf(sdk.CiClient)
  })
})
