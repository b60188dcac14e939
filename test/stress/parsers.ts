import { performance } from 'node:perf_hooks'
import { createMockServer, VirtualClock } from '@buildwire/mock-server'
import { seed as document, startedAt } from '../mock-server/oauth/seed.js'
import { fault } from './fuzz.js'
import * as grammars from './grammars.js'
import type { StressTask } from './task.js'

const jsonType = 'application/json'
const formType = 'application/x-www-form-urlencoded'
const builds = '/v2/organizations/acme/pipelines/web/builds'
const mostMs = 50
const perServer = 2500

interface Sample {
  readonly path: string
  readonly type: string
  readonly body: string
  readonly control?: boolean
  /** The response of the key set's origin from now on. */
  readonly jwks?: string
}

/** One request per parser, with its text in the place where that parser reads it. */
const parsers: Readonly<Record<string, (roll: () => number) => Sample>> = {
  graphql: (roll) => ({ path: '/graphql', type: jsonType, body: grammars.graphqlRequest(roll) }),
  json: (roll) => {
    const path =
      ['/graphql', builds, '/oauth/token', '/_control/apply'][Math.floor(roll() * 4)] ?? builds
    return {
      path,
      type: jsonType,
      body: grammars.jsonText(roll),
      control: path.startsWith('/_control'),
    }
  },
  jwks: (roll) => {
    const body = grammars.exchangeForm(grammars.assertionText(roll).replaceAll('minter', 'remote'))
    return { path: '/oauth/token', type: formType, body, jwks: grammars.jwksText(roll) }
  },
  'registered jwks': (roll) => {
    const application = {
      kind: 'token_exchange',
      client_id: 'any',
      name: 'Any',
      grantableScopes: ['read_builds'],
    }
    const body = `{"applications":[${JSON.stringify(application).slice(0, -1)},"jwks":${grammars.jwksText(roll)}}]}`
    return { path: '/_control/apply', type: jsonType, body, control: true }
  },
  form: (roll) => {
    const path = roll() < 0.5 ? '/oauth/token' : '/oauth/device_authorization'
    return { path, type: formType, body: grammars.formText(roll) }
  },
  assertion: (roll) => ({
    path: '/oauth/token',
    type: formType,
    body: grammars.exchangeForm(grammars.assertionText(roll)),
  }),
}

const application = (client_id: string, keys: object) => ({
  kind: 'token_exchange' as const,
  client_id,
  name: client_id,
  grantableScopes: ['read_builds'],
  ...keys,
})

/** A server on a frozen clock, on which each request can be timed alone. */
async function start() {
  let answer = ''
  const jwksFetch = async (): Promise<Response> => new Response(answer)
  const clock = new VirtualClock({ now: startedAt })
  const server = createMockServer({
    seed: document(),
    clock,
    jwksFetch,
    requestLog: { maxEntries: 50 },
  })
  await server.ready()
  await server.control.apply({
    applications: [
      application('minter', { jwks: { keys: grammars.registeredKeys } }),
      application('remote', { jwks_uri: 'https://keys.example/jwks' }),
    ],
  } as Parameters<typeof server.control.apply>[0])
  return {
    server,
    async send({ path, type, body, control, jwks }: Sample) {
      if (jwks !== undefined) {
        answer = jwks
        await clock.advance(3_600_000)
      }
      const authorization = `Bearer ${control ? server.controlToken : 'seeded-api-token'}`
      const headers = {
        'content-type': type,
        ...(path.startsWith('/oauth') ? {} : { authorization }),
      }
      const request = new Request(server.baseUrl + path, { method: 'POST', headers, body })
      const before = performance.eventLoopUtilization()
      const cpuBefore = process.cpuUsage()
      const response = await server.fetch(request)
      const { user, system } = process.cpuUsage(cpuBefore)
      // The loop's time without waits includes pauses of a busy machine, and the processor's time
      // includes other threads. Synchronous work takes no longer than the smaller of both.
      const busyMs = Math.min(
        performance.eventLoopUtilization(before).active,
        (user + system) / 1000,
      )
      const text = await response.text()
      const seen = {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        body: text,
      }
      return { seen, busyMs, wrong: fault({ method: 'POST' }, seen) }
    },
  }
}

/**
 * Inputs from the grammar of each parser: no 5xx, no internal error, and no request with more than
 * 50 ms of synchronous work.
 */
export const run: StressTask = async ({ within, roll, requests = 100_000, log }) => {
  const names = Object.keys(parsers)
  const statuses = new Map<number, number>()
  const slowest = new Map<string, number>()
  let sent = 0
  let failure: string | undefined
  const goesOn = () => failure === undefined && sent < requests && within()
  while (goesOn()) {
    const { server, send } = await start()
    for (let n = 0; n < perServer && goesOn(); n++, sent++) {
      const name = names[sent % names.length] ?? 'json'
      const sample = parsers[name]?.(roll)
      if (sample === undefined) continue
      let { seen, busyMs, wrong } = await send(sample)
      // A busy machine, a cold engine or a garbage collection is slow once. Too much work is slow
      // every time.
      for (let again = 0; again < 5 && busyMs > mostMs; again++)
        busyMs = Math.min(busyMs, (await send(sample)).busyMs)
      if (busyMs > mostMs) wrong ??= `${Math.round(busyMs)} ms of synchronous work`
      if (wrong !== null)
        failure ??= `${name}: ${wrong}\n    ${JSON.stringify(sample).slice(0, 1500)}`
      statuses.set(seen.status, (statuses.get(seen.status) ?? 0) + 1)
      slowest.set(name, Math.max(slowest.get(name) ?? 0, busyMs))
    }
    const { internalErrors } = await server.control.info.get()
    if (internalErrors > 0) failure ??= `${internalErrors} internal errors counted by the server`
    await server.close()
    if (sent % 10_000 === 0) log(`${sent} inputs`)
  }
  const times = [...slowest].map(([name, ms]) => [`slowest ${name} ms`, Math.round(ms)] as const)
  return {
    figures: { inputs: sent, ...Object.fromEntries(statuses), ...Object.fromEntries(times) },
    failure,
  }
}
