import { createMockServer, type MockServer } from '@buildwire/mock-server'
import { exchangeRaw } from '../support/raw-socket.js'
import type { StressTask } from './task.js'

const everyPath = [
  '/v2/user',
  '/oauth/token',
  '/graphql',
  '/openapi.json',
  '/docs',
  '/acme/web',
  '/device',
  '/_control/info',
  '/_control/health/ready',
]

/** Hosts that once broke a parser, or that two parsers read in two ways. */
export const knownOddHosts: readonly string[] = [
  'xn--l',
  'xn--l:4010',
  'localhost.xn--l',
  'xn--',
  '1.2.3.4.5',
  '256.256.256.256',
  '0x100000000',
  '4294967296',
  '127.1',
  '0x7f.1',
  '2130706433',
  '.',
  '..',
  'localhost.',
  'a..b',
  '-',
  '[::1',
  '[::1]',
  '[::1]:99999',
  '[::ffff:127.0.0.1]',
  '[v1.x]',
  '::1',
  'localhost:',
  'localhost:0',
  'localhost:65536',
  'localhost:80:80',
  'localhost:x',
  'LOCALHOST',
  'localhost@evil.example',
  'evil.example@localhost',
  'localhost/..',
  'localhost?',
  'localhost#',
  'localhost\\evil.example',
  'localhost%00',
  '%6cocalhost',
  'localhost,evil.example',
  'localhost evil.example',
  '\xfc.example',
  '\xe2\x80\xae',
  `${'a'.repeat(64)}.example`,
  'a.'.repeat(130),
  '<script>',
  '__proto__',
]

/** One to six pieces of hosts, joined at random. */
export function randomHost(roll: () => number): string {
  const pieces = [...knownOddHosts, 'localhost', '127.0.0.1', ':', '.', '@', '%', '[', ']', '\t']
  const count = 1 + Math.floor(roll() * 6)
  const pick = () => pieces[Math.floor(roll() * pieces.length)] ?? ''
  return Array.from({ length: count }, pick).join('').slice(0, 400)
}

/**
 * Sends a Host header to these paths, over the port and in process. Returns the first answer that is
 * a server error, or no answer.
 */
export async function oddHost(
  server: MockServer,
  port: number,
  host: string,
  paths: readonly string[] = everyPath,
): Promise<string | null> {
  for (const path of paths) {
    for (const version of ['1.1', '1.0']) {
      const [answer] = await exchangeRaw(
        port,
        `GET ${path} HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      const status = answer?.status ?? 0
      if (status < 200 || status >= 500)
        return `${path} over HTTP/${version} with Host ${JSON.stringify(host)}: ${status}`
    }
    const init = headersOf(host)
    if (init === null) continue
    const { status } = await server.fetch(new Request(server.baseUrl + path, init))
    if (status >= 500) return `${path} in process with Host ${JSON.stringify(host)}: ${status}`
  }
  return null
}

/** The header in process; null if Headers refuses the value. */
function headersOf(host: string): RequestInit | null {
  try {
    return { headers: new Headers({ host }) }
  } catch {
    return null
  }
}

/** 200 odd Host headers on every kind of path: never a server error. */
export const run: StressTask = async ({ within, roll, requests = 200, log }) => {
  const server = createMockServer({ seed: 'demo' })
  const { port } = await server.listen({ port: 0 })
  await server.ready()
  let hosts = 0
  let failure: string | undefined
  while (hosts < requests && failure === undefined && within()) {
    failure = (await oddHost(server, port, knownOddHosts[hosts] ?? randomHost(roll))) ?? undefined
    hosts += 1
    if (hosts % 50 === 0) log(`${hosts} hosts`)
  }
  const { internalErrors } = await server.control.info.get()
  if (internalErrors > 0) failure ??= `the server had ${internalErrors} internal errors`
  await server.close()
  return { figures: { hosts, requests: hosts * everyPath.length * 3 }, failure }
}
