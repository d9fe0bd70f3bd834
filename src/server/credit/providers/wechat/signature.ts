import { createDecipheriv, createSign, createVerify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

// Signing of WeChat Pay APIv3: https://pay.weixin.qq.com/doc/v3/merchant/4012365342 (requests), 4013053249 (answers and
// notifications), 4012071382 (AES-256-GCM).

/** RSA-SHA256 over lines, each with a line feed at its end. */
const toLines = (lines: string[]): string => lines.map((line) => `${line}\n`).join('')

export const signLines = (private_key: KeyObject, lines: string[]): string =>
  createSign('RSA-SHA256').update(toLines(lines)).sign(private_key, 'base64')

export const verifyLines = (public_key: KeyObject, lines: string[], signature: string): boolean =>
  createVerify('RSA-SHA256').update(toLines(lines)).verify(public_key, signature, 'base64')

/** What WeChat Pay encrypts: base64, its last 16 bytes the tag. */
export type Encrypted = { ciphertext: string; nonce: string; associated_data?: string | undefined }

/** Throws where the key is another one, or something was changed. */
export function decrypt({ ciphertext, nonce, associated_data = '' }: Encrypted, api_v3_key: string): string {
  const bytes = Buffer.from(ciphertext, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', api_v3_key, nonce, { authTagLength: 16 })
  decipher.setAAD(Buffer.from(associated_data))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
}
