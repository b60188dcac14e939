import { createMockServer } from '@buildwire/mock-server'
import { Pool } from 'undici'
import { inFlight, median } from '../bench/measure.js'
import { memoryMiB } from '../support/memory.js'
import type { StressTask } from './task.js'

/**
 * During these requests the caches, the request log and the compiled code still grow to their
 * limits.
 */
const settled = 50_000

/** The number of requests between two readings of memory. */
const pace = 10_000

/**
 * Memory at the end must be at most 1.1 times the memory at the start. Each is the median of a
 * third of the samples, because the pages that a garbage collection returns differ by a third from
 * one sample to the next.
 */
export const run: StressTask = async ({ within, requests = 1_000_000, log }) => {
  const server = createMockServer({ seed: 'demo' })
  const { url } = await server.listen({ port: 0 })
  const { accessTokens } = await server.ready()
  const headers = { authorization: `Bearer ${accessTokens['admin']}` }
  const pool = new Pool(url, { connections: 16 })
  const paths = [
    '/v2/organizations/acme/builds?per_page=5&exclude_jobs=true',
    '/v2/user',
    '/v2/organizations/acme/pipelines/web/builds?state=passed&per_page=3',
    '/v2/organizations/nobody/builds',
  ]
  const samples: { readonly rss: number; readonly heap: number }[] = []
  let sent = 0
  while (sent < requests && within()) {
    await inFlight(pace, 32, async (index) => {
      const { body } = await pool.request({
        path: paths[index % paths.length] ?? '/',
        method: 'GET',
        headers,
      })
      await body.dump()
    })
    sent += pace
    if (sent > settled) samples.push(memoryMiB())
    if (sent % 50_000 === 0)
      log(`${sent.toLocaleString('en')} requests, ${Math.round(memoryMiB().rss)} MiB`)
  }
  await pool.close()
  await server.close()
  const third = Math.floor(samples.length / 3)
  if (third === 0) {
    const enough = (settled + 3 * pace).toLocaleString('en')
    return {
      figures: {
        requests: sent,
        verdict: `too short to tell: memory is judged from ${enough} requests`,
      },
    }
  }
  const change = (of: 'rss' | 'heap') => {
    const early = median(samples.slice(0, third).map((sample) => sample[of]))
    const late = median(samples.slice(-third).map((sample) => sample[of]))
    return { growth: late / early, text: `${early.toFixed(0)} to ${late.toFixed(0)} MiB` }
  }
  const memory = change('rss')
  const growth = memory.growth.toFixed(2)
  const failure = memory.growth <= 1.1 ? undefined : `memory grew ${growth} times`
  return {
    figures: { requests: sent, memory: memory.text, heap: change('heap').text, growth },
    failure,
  }
}
