import { createMockServer } from '@buildwire/mock-server'
import { Pool } from 'undici'
import { inFlight } from '../bench/measure.js'
import type { StressTask } from './task.js'

/** Memory after a million requests against memory after the first tenth: at most 1.1 times. */
export const run: StressTask = async ({ minutes, requests = 1_000_000, log }) => {
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
  const deadline = process.hrtime.bigint() + BigInt(Math.round(minutes * 60e9))
  const rss = () => {
    globalThis.gc?.()
    return process.memoryUsage().rss / 2 ** 20
  }
  const wave = Math.max(1000, Math.floor(requests / 20))
  let sent = 0
  let early = 0
  while (sent < requests && process.hrtime.bigint() < deadline) {
    await inFlight(wave, 32, async (index) => {
      const { body } = await pool.request({ path: paths[index % paths.length] ?? '/', method: 'GET', headers })
      await body.dump()
    })
    sent += wave
    if (early === 0 && sent >= requests / 10) early = rss()
    log(`${sent.toLocaleString('en')} requests, ${Math.round(rss())} MiB`)
  }
  const late = rss()
  await pool.close()
  await server.close()
  if (early === 0)
    return { ok: true, figures: { requests: sent, verdict: 'too short to tell', 'MiB at the end': Math.round(late) } }
  const growth = late / early
  const ok = growth <= 1.1
  return {
    ok,
    figures: {
      requests: sent,
      'MiB after a tenth': Math.round(early),
      'MiB at the end': Math.round(late),
      growth: growth.toFixed(2),
    },
    failure: ok ? undefined : `memory grew ${growth.toFixed(2)} times`,
  }
}
