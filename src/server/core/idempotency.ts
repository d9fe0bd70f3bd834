import { createHash } from 'node:crypto'
import { AppError } from './app-error.ts'

/** An Idempotency-Key together with the hash of the request's body. */
export type IdempotencyKey = { key: string; body_hash: string }

/**
 * Reads the Idempotency-Key of a request (draft-ietf-httpapi-idempotency-key-header); null without one. Throws AppError
 * bad_request for a key that is not 1 to 255 visible ASCII characters.
 */
export function parseIdempotencyKey(request: Request, body: unknown): IdempotencyKey | null {
  const key = request.headers.get('Idempotency-Key')
  if (key === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new AppError('bad_request')
  return { key, body_hash: createHash('sha256').update(JSON.stringify(body)).digest('base64url') }
}
