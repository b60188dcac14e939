import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'

interface IpAddress {
  readonly family: 'ipv4' | 'ipv6'
  readonly address: string
}

/**
 * Parses an address into one form: an IPv4 address inside IPv6 (`::ffff:192.0.2.1`) becomes IPv4.
 * Undefined if the text is not an address.
 */
function parseAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { family: 'ipv4', address: text }
  if (!isIPv6(text) || text.includes('%')) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped === undefined ? { family: 'ipv6', address } : { family: 'ipv4', address: mapped }
}

interface Network extends IpAddress {
  readonly prefix: number
}

function parseNetwork(text: string): Network | undefined {
  const [, base = '', digits] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const address = parseAddress(base)
  if (address === undefined) return undefined
  const width = address.family === 'ipv4' ? 32 : 128
  const shift = address.family === 'ipv4' && base.includes(':') ? 96 : 0
  const prefix = digits === undefined ? width : Number(digits) - shift
  return prefix >= 0 && prefix <= width ? { ...address, prefix } : undefined
}

/** True for an IPv4 or IPv6 address or CIDR block without a zone. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined
}

/** True if an address is in one of the networks. Invalid text is in none. */
export function addressIn(networks: readonly string[], address: string): boolean {
  const parsed = parseAddress(address)
  if (parsed === undefined) return false
  const list = new BlockList()
  for (const text of networks) {
    const network = parseNetwork(text)
    if (network !== undefined) list.addSubnet(network.address, network.prefix, network.family)
  }
  return list.check(parsed.address, parsed.family)
}

/**
 * The address of the client: the peer, or, behind trusted proxies, the last address in
 * `X-Forwarded-For` that is not a trusted proxy.
 */
export function callerAddress(
  peer: string,
  forwardedFor: string | null,
  trustProxy: readonly string[],
): string {
  let caller = parseAddress(peer)?.address ?? peer
  if (forwardedFor === null) return caller
  const entries = forwardedFor.split(',').map((entry) => entry.trim())
  while (entries.length > 0 && addressIn(trustProxy, caller)) {
    const entry = entries.pop() ?? ''
    if (entry !== '') caller = parseAddress(entry)?.address ?? entry
  }
  return caller
}
