import { gzipSync } from 'node:zlib'
import { ecKey } from '../mock-server/oauth/assertions.js'
import { startServer } from '../mock-server/oauth/oauth-server.js'
import { Origin, registerOrigin, serve } from '../mock-server/oauth/origin.js'
import type { StressTask } from './task.js'

type Behaviour = Parameters<typeof Origin.answering>[0]

const bomb = gzipSync(Buffer.alloc(50_000_000))
const old = ecKey('old')
const next = ecKey('next')

const hostile: Readonly<Record<string, Behaviour>> = {
  hangs: () => undefined,
  drips: (_request, response) => void response.writeHead(200).write(' '),
  resets: (_request, response) => void response.socket?.resetAndDestroy(),
  redirects: (_request, response) =>
    void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  bombs: (_request, response) =>
    void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
  pours: (_request, response) => {
    const chunk = Buffer.alloc(65_536, 0x20)
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', pour)
    pour()
  },
  'answers HTML': (_request, response) => void response.end('<!doctype html>'),
  'answers 500': (_request, response) => void response.writeHead(500).end(),
  'answers 10 000 keys': serve(Array.from({ length: 10_000 }, () => ({}))),
  'answers nonsense': (_request, response) => void response.socket?.end('nonsense\r\n\r\n'),
}
const good: readonly Behaviour[] = [
  serve([old.jwk]),
  serve([old.jwk, next.jwk], { 'Cache-Control': 'max-age=60' }),
]

/**
 * An origin of a JWKS that is valid or hostile at random gets many requests with known and unknown
 * kids. Fetches must stay within the cooldowns, keys must be valid for an hour after a good fetch,
 * and another application must not be affected.
 */
export const run: StressTask = async ({ within, roll, requests = 100_000, log }) => {
  const names = Object.keys(hostile)
  let goodFetches = 0
  let sent = 0
  let fetches = 0
  let rounds = 0
  let slowestMs = 0
  let failure: string | undefined
  const goesOn = () => sent < requests && failure === undefined && within()
  let settledRss = 0
  while (goesOn()) {
    await using s = await startServer({ jwksTimeoutMs: 100 })
    await using origin = await Origin.serving([old.jwk])
    await registerOrigin(s, origin.url)
    const exchange = (kid: string) =>
      s.exchange(
        s.assertion({ iss: 'remote', sub: 'remote' }, kid === 'next' ? next : old, { kid }),
      )
    let goodAt = Number.NEGATIVE_INFINITY
    let lastFetchAt = Number.NEGATIVE_INFINITY
    for (let n = 0; n < 100 && goesOn(); n++) {
      const isGood = roll() < 0.4
      const name = names[Math.floor(roll() * names.length)] ?? 'hangs'
      origin.answer = isGood
        ? (good[Math.floor(roll() * good.length)] ?? serve([old.jwk]))
        : (hostile[name] ?? serve([]))
      await s.clock.advance(Math.floor(roll() * (roll() < 0.1 ? 4_000_000 : 40_000)))
      const before = (await s.server.control.jwksFetches.list()).length
      const started = process.hrtime.bigint()
      const [valid, unknown, others] = await Promise.all([
        Promise.all(Array.from({ length: 5 }, () => exchange('old'))),
        Promise.all(Array.from({ length: 10 }, (_, index) => exchange(`random-${index}`))),
        Promise.all(Array.from({ length: 2 }, () => s.exchange())),
      ])
      slowestMs = Math.max(slowestMs, Number(process.hrtime.bigint() - started) / 1e6)
      // This is the server's own count: under load a request may reach the origin after its time
      // limit.
      const made = (await s.server.control.jwksFetches.list()).slice(before)
      const fetched = made.length
      const succeeded = made[0]?.outcome === 'ok'
      if (succeeded && !isGood) failure = `round ${rounds}: an origin that ${name} gave keys`
      const where = `round ${rounds}, origin ${isGood ? 'good' : name}`
      if (fetched > 1) failure = `${where}: ${fetched} fetches`
      if (fetched === 1 && s.now - lastFetchAt < 5000)
        failure = `${where}: a fetch ${s.now - lastFetchAt} ms after the last`
      if (fetched === 1) lastFetchAt = s.now
      if (succeeded) goodAt = s.now
      const honoured = s.now - goodAt < 3_600_000
      if (valid.some(({ status }) => status !== (honoured ? 200 : 400)))
        failure = `${where}: a good kid got the wrong answer`
      if (unknown.some(({ status }) => status !== 400))
        failure = `${where}: an unknown kid was not refused`
      if (others.some(({ status }) => status !== 200))
        failure = `${where}: another application was hit`
      sent += valid.length + unknown.length + others.length
      fetches += fetched
      rounds += 1
      if (succeeded) goodFetches += 1
    }
    settledRss ||= process.memoryUsage.rss()
    log(`${rounds} rounds`)
  }
  const grownMiB = Math.round((process.memoryUsage.rss() - settledRss) / 2 ** 20)
  if (goodFetches === 0) failure ??= 'no fetch was good'
  if (grownMiB > 200) failure ??= `memory grew by ${grownMiB} MiB`
  return {
    figures: {
      rounds,
      requests: sent,
      fetches,
      'of them good': goodFetches,
      'slowest round ms': Math.round(slowestMs),
      'grown MiB': grownMiB,
    },
    failure,
  }
}
