import { createMockServer } from '@buildwire/mock-server'
import { Pool } from 'undici'
import { inFlight } from '../bench/measure.js'
import { memoryMiB } from '../support/memory.js'
import type { StressTask } from './task.js'

/** Until here caches, the request log and the compiler's work still grow to their limits. */
const settled = 50_000

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
  const rss = () => memoryMiB().rss
  const wave = 1000
  let sent = 0
  let early = 0
  let earlyAt = 0
  while (sent < requests && process.hrtime.bigint() < deadline) {
    await inFlight(wave, 32, async (index) => {
      const { body } = await pool.request({ path: paths[index % paths.length] ?? '/', method: 'GET', headers })
      await body.dump()
    })
    sent += wave
    if (early === 0 && sent >= Math.max(requests / 10, settled)) {
      early = rss()
      earlyAt = sent
    }
    if (sent % 50_000 === 0) log(`${sent.toLocaleString('en')} requests, ${Math.round(rss())} MiB`)
  }
  const late = rss()
  await pool.close()
  await server.close()
  if (early === 0 || sent < 2 * earlyAt) {
    const verdict = `too short to tell: memory is judged from ${(2 * settled).toLocaleString('en')} requests`
    return { ok: true, figures: { requests: sent, 'MiB at the end': Math.round(late), verdict } }
  }
  const growth = late / early
  const ok = growth <= 1.1
  return {
    ok,
    figures: {
      requests: sent,
      [`MiB after ${earlyAt.toLocaleString('en')}`]: Math.round(early),
      'MiB at the end': Math.round(late),
      growth: growth.toFixed(2),
    },
    failure: ok ? undefined : `memory grew ${growth.toFixed(2)} times`,
  }
}
