import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ArtifactRecord } from '../records/records.js'
import type { SandboxContext } from '../request/exchange.js'

/** How long a link to an artifact's content holds, by the sandbox's clock. */
const linkMs = 60_000

const twins: Readonly<Record<string, string>> = { '127.0.0.1': 'localhost', localhost: '127.0.0.1' }

/**
 * The same address under this machine's other name, another origin; without a port, or elsewhere,
 * it stays.
 */
export function otherOrigin(baseUrl: string): string {
  const url = new URL(baseUrl)
  const twin = url.port === '' || url.protocol !== 'http:' ? undefined : twins[url.hostname]
  return twin === undefined ? baseUrl : baseUrl.replace(url.hostname, twin)
}

function signatureOf({ linkKey }: SandboxContext, id: string, expires: number): Buffer {
  return createHmac('sha256', linkKey).update(`${id}\n${expires}`).digest()
}

/** The URL that shows an artifact's content to whoever has it. */
export function artifactLink(sandbox: SandboxContext, { id }: ArtifactRecord, now: number): string {
  const expires = now + linkMs
  const signature = signatureOf(sandbox, id, expires).toString('base64url')
  return `${otherOrigin(sandbox.urls.baseUrl)}/artifacts/${id}/content?expires=${expires}&signature=${signature}`
}

/** Whether a link is one of ours, whole and not too old. */
export function isArtifactLink(
  sandbox: SandboxContext,
  id: string,
  {
    expires = '',
    signature = '',
  }: { readonly expires?: string | undefined; readonly signature?: string | undefined },
): boolean {
  const until = Number(expires)
  const given = Buffer.from(signature, 'base64url')
  const right = signatureOf(sandbox, id, until)
  return (
    given.length === right.length && timingSafeEqual(given, right) && sandbox.clock.now() < until
  )
}
