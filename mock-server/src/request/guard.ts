import { accept, type Decision, refuse } from '../domain/decision.js'
import { addressIn } from '../http/address.js'
import { loopbackHosts } from './authority.js'

const loopback = ['127.0.0.0/8', '::1']
const loopbackNames = [...loopbackHosts, 'mock.localhost']

export interface GuardOptions {
  /** Hosts of the server's own URLs, without port. */
  readonly hosts: readonly string[]
  /** Peers beyond loopback are admitted; the token then is the caller's own. */
  readonly remote: boolean
}

export interface Guarded {
  readonly url: string
  readonly headers: Headers
  /** The socket's peer, not what a header claims. */
  readonly peer: string
}

/** A host without its port, lower case; brackets of IPv6 stay. */
const hostOnly = (host: string): string => host.toLowerCase().replace(/:\d+$/, '')

const forbid = (detail: string) => refuse('forbidden', 'Forbidden', { detail })

/** Whether a request comes from this machine and under a name that is ours: this stands against DNS rebinding. */
export function guardPeer(request: Guarded, options: GuardOptions): Decision<null> {
  if (!options.remote && !addressIn(loopback, request.peer)) return forbid('foreign_peer')
  // A target in absolute form has a name of its own, which wins over the header (RFC 9112 §3.2.2): both must be ours.
  const names = [new URL(request.url).host, request.headers.get('host')].flatMap((name) => name ?? []).map(hostOnly)
  const areOwn = names.every((name) => loopbackNames.includes(name) || options.hosts.includes(name))
  return areOwn ? accept(null) : forbid('foreign_host')
}

/** For what acts with the operator's authority: besides, no foreign page may have sent the request. */
export function guardOrigin(request: Guarded, options: GuardOptions): Decision<null> {
  const origin = request.headers.get('origin')
  if (origin !== null && !isOwn(origin, options)) return forbid('foreign_origin')
  return request.headers.get('sec-fetch-site') === 'cross-site' ? forbid('cross_site') : accept(null)
}

function isOwn(origin: string, { hosts }: GuardOptions): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  return loopbackNames.includes(hostname) || hosts.includes(hostname)
}
