/** A request's address: `peer` of the connection, `forwarded_for` of the header X-Forwarded-For. */
type Source = { peer: string | undefined; forwarded_for: string | undefined }

/**
 * The client's address: the peer's, or what the nearest trusted proxy reports (`trust_proxy`: number of proxies in front).
 * An IPv4 address never reads as IPv6.
 */
export function getClientAddress({ peer = '', forwarded_for = '' }: Source, trust_proxy: number): string {
  const forwarded = trust_proxy ? forwarded_for.split(',').at(-trust_proxy)?.trim() : ''
  return (forwarded || peer).replace(/^::ffff:(?=\d+\.)/i, '')
}
