import { generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export type KeyPair = { publicKey: KeyObject; privateKey: KeyObject }
export const createKeyPair = (): KeyPair => generateKeyPairSync('rsa', { modulusLength: 2048 })

export const toPem = (key: KeyObject): string =>
  key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString()

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const SHA256_WITH_RSA = der(0x30, Buffer.from('06092a864886f70d01010b0500', 'hex'))
const toName = (name: string): Buffer =>
  der(0x30, der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(name)))))
const toUtcTime = (at: Date): Buffer =>
  der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

/** Creates a self-signed certificate (RFC 5280 section 4.1) for a year; `serial` in hexadecimal. */
export function createCertificate({ publicKey, privateKey }: KeyPair, serial: string): string {
  const [from, to] = [new Date(Date.now() - 86_400_000), new Date(Date.now() + 365 * 86_400_000)]
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from(serial, 'hex')),
    SHA256_WITH_RSA,
    toName('Tenpay'),
    der(0x30, toUtcTime(from), toUtcTime(to)),
    toName('Tenpay'),
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', content, privateKey)
  const certificate = der(0x30, content, SHA256_WITH_RSA, der(0x03, Buffer.from([0]), signature))
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}
