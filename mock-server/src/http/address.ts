import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'

interface IpAddress {
  readonly family: 'ipv4' | 'ipv6'
  readonly address: string
}

/**
 * One form per address: IPv4 inside IPv6 (`::ffff:192.0.2.1`) is that IPv4. Undefined when it is no
 * address.
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

/** Whether a text is an IPv4 or IPv6 address or CIDR block, without zone. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined
}

/** Whether an address lies in one of the networks; one that does not parse lies in none. */
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
 * The peer; of a trusted proxy the rightmost of `X-Forwarded-For` that no trusted proxy stands
 * behind.
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
