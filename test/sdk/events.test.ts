import type { CiEvent } from '@buildwire/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { buildPath, client } from './support/client.js'
import { SleeplessClock } from './support/clock.js'
import { build, json, serve } from './support/server.js'

test('client and call see each attempt, each answer and each retry, and nothing secret', async () => {
  const server = await serve((response, _, index) =>
    index === 0
      ? json(response, 503, { message: 'later' })
      : json(response, 200, build(42), { 'x-request-id': 'request-2' }),
  )
  const [all, own]: [CiEvent[], CiEvent[]] = [[], []]
  const ci = client(server.url, {
    clock: new SleeplessClock(),
    onEvent: (event) => all.push(event),
  })
  await ci.builds.get(
    { ...buildPath, job_states: 'failed' },
    { onEvent: (event) => own.push(event) },
  )
  const about = {
    callId: own[0]?.type === 'request' ? own[0].callId : '',
    operationId: 'builds.get',
    method: 'GET',
    path: '/v2/organizations/acme/pipelines/web/builds/42',
  }
  expect(own).toEqual([
    { type: 'request', ...about, attempt: 1 },
    { type: 'response', ...about, attempt: 1, status: 503, durationMs: 0, requestId: undefined },
    { type: 'retry', ...about, attempt: 1, code: 'server_error', delayMs: 250 },
    { type: 'request', ...about, attempt: 2 },
    { type: 'response', ...about, attempt: 2, status: 200, durationMs: 0, requestId: 'request-2' },
  ])
  expect(all).toEqual(own)
  expect(about.callId).toMatch(/^\d{10}-1$/)
})

test('a listener that throws becomes a process warning and changes nothing', async () => {
  const warnings: Error[] = []
  const listen = (warning: Error): void => void warnings.push(warning)
  process.on('warning', listen)
  onTestFinished(() => void process.off('warning', listen))
  const server = await serve((response) => json(response, 200, build(42)))
  const ci = client(server.url, {
    onEvent: () => {
      throw new RangeError('bwua_secret in my own message')
    },
  })
  expect(await ci.builds.get(buildPath)).toMatchObject({ number: 42 })
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings.map((warning) => [warning.name, warning.message])).toEqual([
    ['BuildwireWarning', 'onEvent threw (RangeError) at event "request"'],
    ['BuildwireWarning', 'onEvent threw (RangeError) at event "response"'],
  ])
})
