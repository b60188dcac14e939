import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { urlHost } from '../server/doors/node.js'
import { UsageError } from './exit-codes.js'
import type { HealthFlags } from './flags.js'
import { isReady, readyPath } from './ready-file.js'

/** Whether the server at `url`, or the one that these flags start, is ready. @throws UsageError */
export async function isHealthy({ url, host, port, tlsCert }: HealthFlags): Promise<boolean> {
  if (url === undefined && port === 0)
    throw new UsageError('health needs --url or --port: port 0 is any free one')
  const scheme = tlsCert === undefined ? 'http' : 'https'
  const where = url ?? `${scheme}://${urlHost(host)}:${port}`
  return tlsCert !== undefined && where.startsWith('https:')
    ? isOwnReady(where, certificateOf(tlsCert))
    : isReady(where)
}

function certificateOf(file: string): X509Certificate {
  try {
    return new X509Certificate(readFileSync(file))
  } catch (error) {
    throw new UsageError(`--tls-cert: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Compares the server's certificate with ours, so issuer and name of the certificate do not matter.
 */
function isOwnReady(url: string, { fingerprint256 }: X509Certificate): Promise<boolean> {
  return new Promise((resolve) => {
    const call = get(
      new URL(readyPath, url),
      { rejectUnauthorized: false, agent: false },
      (response) => {
        const shown = (response.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256
        response.resume()
        resolve(response.statusCode === 200 && shown === fingerprint256)
      },
    )
    call.on('error', () => resolve(false))
  })
}
