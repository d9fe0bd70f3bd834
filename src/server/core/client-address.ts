import { isIP, isIPv6 } from 'node:net'

/** A request's address: `peer` of the connection, `forwarded_for` from the header X-Forwarded-For. */
type Source = { peer: string | undefined; forwarded_for: string | undefined }

/**
 * Returns the client's address: the peer's, or the one that the outermost trusted proxy reports (`trust_proxy`: number of proxies
 * in front). When the reported text is no address, the peer's is used, so that nobody becomes a new client by writing something
 * else. An IPv4 address never reads as IPv6, however it is written. The header `Forwarded` (RFC 7239) is not read.
 */
export function getClientAddress({ peer = '', forwarded_for = '' }: Source, trustProxy: number): string {
  const address = (trustProxy && parseForwardedFor(forwarded_for.split(',').at(-trustProxy))) || peer
  return /^[0:]+:ffff:/i.test(address) ? (toMappedIpv4(address) ?? address) : address
}

/**
 * Returns the key by which limits count an address: an IPv4 address, or the /64 of an IPv6 address, the smallest network that a
 * subscriber is given (RFC 6177). Text that is no address counts as it is written.
 */
export function getLimitKey(address: string): string {
  const groups = parseIpv6(address)
  return groups ? `${groups.slice(0, 4).join(':')}::/64` : address
}

/**
 * Reads the address that a proxy has written, without what it adds: a port behind an IPv4 address (Azure Application Gateway, AWS
 * with `xff_client_port`), brackets around an IPv6 one, with or without a port (AWS, Envoy), quotes (RFC 7239's form of both).
 * Null for text that is no address: `unknown`, a name, nothing.
 */
function parseForwardedFor(item = ''): string | null {
  const text = item.trim().replace(/^"(.*)"$/, '$1')
  const [, inBrackets, beforePort] = /^\[(.+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text) ?? []
  const address = inBrackets ?? beforePort ?? text
  return isIP(address) ? address : null
}

/** Returns the IPv4 address in an IPv4-mapped one (RFC 4291 section 2.5.5.2); null for all others. */
function toMappedIpv4(address: string): string | null {
  const groups = parseIpv6(address)
  if (groups?.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return null
  return groups
    .slice(6)
    .flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255])
    .join('.')
}

/** Returns the eight groups of an IPv6 address, without leading zeros and zone; null for any other text. */
function parseIpv6(address: string): string[] | null {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return null
  // URLs have one spelling for each address (WHATWG URL, "IPv6 serializer").
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [
    string[],
    string[],
  ]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after]
}
