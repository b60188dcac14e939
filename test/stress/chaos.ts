import { setTimeout as wait } from 'node:timers/promises'
import { createMockServer } from '@buildwire/mock-server'
import { CiClient, isCiError } from '@buildwire/sdk'
import { inFlight } from '../bench/measure.js'
import { chaosProxy, faults } from './chaos-proxy.js'
import type { StressTask } from './task.js'

const pipeline = { org_slug: 'acme', pipeline_slug: 'web' }
const spoiled = 0.2

/**
 * One response in five is damaged: reads must succeed or fail with a typed error, and no create may
 * happen twice.
 */
export const run: StressTask = async ({ within, seed, roll, requests = 10_000, log }) => {
  const server = createMockServer({ seed: 'demo' })
  const { url } = await server.listen({ port: 0 })
  const { accessTokens } = await server.ready()
  const auth = accessTokens['admin'] ?? ''
  const proxy = await chaosProxy(
    url,
    () => (roll() < spoiled ? (faults[Math.floor(roll() * faults.length)] ?? null) : null),
    () => wait(5 + roll() * 20),
  )
  const ci = new CiClient({ baseUrl: proxy.url, auth })
  const direct = new CiClient({ baseUrl: url, auth })
  const known = (await direct.builds.listForPipeline({ ...pipeline, per_page: 50 })).items.map(
    ({ number }) => number,
  )
  const codes = new Map<string, number>()
  let failure: string | undefined
  const typed = (error: unknown, during: string) => {
    if (!isCiError(error)) failure ??= `${during} failed with something untyped: ${String(error)}`
    const code = isCiError(error) ? error.code : 'untyped'
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }

  let reads = 0
  await inFlight(requests, 48, async (index) => {
    // The reads end early enough to leave time for the creates.
    if (failure !== undefined || !within(0.65)) return
    const number = known[index % known.length] ?? 1
    try {
      const build = await ci.builds.get({ ...pipeline, number })
      if (build.number !== number) failure ??= `asked for build ${number}, got ${build.number}`
    } catch (error) {
      typed(error, 'a read')
    }
    reads += 1
    if (reads % 2500 === 0) log(`${reads} reads`)
  })

  const creates = Math.max(1, Math.floor(requests / 10))
  const outcome = new Map<string, 'created' | 'not sent' | 'unknown'>()
  await inFlight(creates, 48, async (index) => {
    if (failure !== undefined || !within()) return
    const message = `chaos ${seed}-${index}`
    try {
      await ci.builds.create({ ...pipeline, branch: 'main', commit: 'HEAD', message })
      outcome.set(message, 'created')
    } catch (error) {
      typed(error, 'a create')
      const unsent = isCiError(error) && 'sent' in error && error.sent === 'no'
      outcome.set(message, unsent ? 'not sent' : 'unknown')
    }
  })
  const found = new Map<string, number>()
  for await (const { message } of direct.builds.listForPipeline({
    ...pipeline,
    exclude_jobs: true,
  })) {
    if (message?.startsWith(`chaos ${seed}-`)) found.set(message, (found.get(message) ?? 0) + 1)
  }
  for (const [message, what] of outcome) {
    const count = found.get(message) ?? 0
    if (count > 1) failure ??= `${message} was created ${count} times`
    if (what === 'created' && count !== 1)
      failure ??= `${message} was reported as created and is not there`
    if (what === 'not sent' && count !== 0)
      failure ??= `${message} was reported as not sent and is there`
  }
  await ci.close()
  await direct.close()
  await proxy.close()
  await server.close()
  const { clean, ...spoils } = proxy.counts
  const created = [...outcome.values()].filter((what) => what === 'created').length
  return {
    figures: {
      reads,
      creates: outcome.size,
      created,
      'answers spoiled': Object.values(spoils).reduce((a, b) => a + b, 0),
      clean,
      ...Object.fromEntries(codes),
    },
    failure,
  }
}
