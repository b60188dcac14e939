import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ArtifactRecord } from '../records/records.js'
import type { SandboxContext } from '../request/exchange.js'

/** How long a link to the content of an artifact is valid, by the clock of the sandbox. */
const linkMs = 60_000

const otherNames: Readonly<Record<string, string>> = {
  '127.0.0.1': 'localhost',
  localhost: '127.0.0.1',
}

/**
 * The same server under the other loopback name, which is another origin. A URL without a port, or
 * of another host, stays as it is.
 */
export function otherOrigin(baseUrl: string): string {
  const url = new URL(baseUrl)
  const isLocal = url.port !== '' && url.protocol === 'http:'
  const otherName = isLocal ? otherNames[url.hostname] : undefined
  return otherName === undefined ? baseUrl : baseUrl.replace(url.hostname, otherName)
}

function signatureOf({ linkKey }: SandboxContext, id: string, expires: number): Buffer {
  return createHmac('sha256', linkKey).update(`${id}\n${expires}`).digest()
}

/** A URL that shows the content of an artifact without a token. */
export function artifactLink(sandbox: SandboxContext, { id }: ArtifactRecord, now: number): string {
  const expires = now + linkMs
  const signature = signatureOf(sandbox, id, expires).toString('base64url')
  return `${otherOrigin(sandbox.urls.baseUrl)}/artifacts/${id}/content?expires=${expires}&signature=${signature}`
}

/** True if this server signed the link and it has not expired. */
export function isArtifactLink(
  sandbox: SandboxContext,
  id: string,
  query: { readonly expires?: string | undefined; readonly signature?: string | undefined },
): boolean {
  const expires = Number(query.expires ?? '')
  const actual = Buffer.from(query.signature ?? '', 'base64url')
  const expected = signatureOf(sandbox, id, expires)
  const isSigned = actual.length === expected.length && timingSafeEqual(actual, expected)
  return isSigned && sandbox.clock.now() < expires
}
