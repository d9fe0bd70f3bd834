import { createDecipheriv, createSign, createVerify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

// Signatures of WeChat Pay APIv3: https://pay.weixin.qq.com/doc/v3/merchant/4012365342 (requests), 4013053249 (answers and
// notifications), 4012071382 (AES-256-GCM).

/** RSA-SHA256 signs lines, each with a line feed at its end. */
const toLines = (lines: string[]): string => lines.map((line) => `${line}\n`).join('')

export const signLines = (privateKey: KeyObject, lines: string[]): string =>
  createSign('RSA-SHA256').update(toLines(lines)).sign(privateKey, 'base64')

export const verifyLines = (publicKey: KeyObject, lines: string[], signature: string): boolean =>
  createVerify('RSA-SHA256').update(toLines(lines)).verify(publicKey, signature, 'base64')

/** Data encrypted by WeChat Pay: base64, its last 16 bytes the tag. */
export type Encrypted = { ciphertext: string; nonce: string; associated_data?: string | undefined }

/** Throws if the key is another one, or the data was changed. */
export function decrypt({ ciphertext, nonce, associated_data = '' }: Encrypted, apiV3Key: string): string {
  const bytes = Buffer.from(ciphertext, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', apiV3Key, nonce, { authTagLength: 16 })
  decipher.setAAD(Buffer.from(associated_data))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8')
}
