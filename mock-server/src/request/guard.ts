import { accept, type Decision, refuse } from '../domain/decision.js'
import { addressIn } from '../http/address.js'
import { loopbackHosts } from './authority.js'
import type { Exchange } from './exchange.js'

const loopback = ['127.0.0.0/8', '::1']
const loopbackNames = [...loopbackHosts, 'mock.localhost']

export interface GuardOptions {
  /** Hosts of the server's own URLs, without port. */
  readonly hosts: readonly string[]
  /** Peers beyond loopback are admitted; the token then is the caller's own. */
  readonly remote: boolean
}

const forbid = (detail: string) => refuse('forbidden', 'Forbidden', { detail })

/**
 * Whether a request for a page or for the control API comes from this machine and under a name that is ours: this stands
 * against DNS rebinding. No foreign page may send what acts with the operator's authority.
 *
 * @param peer The socket's peer, not what a header claims.
 */
export function guard({ kind, request, headers }: Exchange, peer: string, options: GuardOptions): Decision<null> {
  const isOwn = (name: string) => loopbackNames.includes(name) || options.hosts.includes(name)
  if (!options.remote && !addressIn(loopback, peer)) return forbid('foreign_peer')
  // A target in absolute form has a name of its own, which wins over the header (RFC 9112 §3.2.2): both must be ours.
  const { host } = new URL(request.url)
  const hosts = [host, headers.get('host') ?? host].map((name) => name.toLowerCase().replace(/:\d+$/, ''))
  if (!hosts.every(isOwn)) return forbid('foreign_host')
  if (kind === 'page') return accept(null)
  const origin = headers.get('origin')
  if (origin !== null && !(URL.canParse(origin) && isOwn(new URL(origin).hostname))) return forbid('foreign_origin')
  return headers.get('sec-fetch-site') === 'cross-site' ? forbid('cross_site') : accept(null)
}
