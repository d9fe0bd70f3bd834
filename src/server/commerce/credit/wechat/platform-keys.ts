import { createPublicKey, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { WechatPayConfig } from '#server/core/settings/payments.ts'
import { decrypt } from './signature.ts'

/** Interval of downloading certificates, ms, so that new ones are known before they are used. */
const REFRESH_MS = 12 * 3_600_000
/** Shortest interval of downloads for unknown serials, ms, since anybody can send one. */
const MIN_REFRESH_MS = 60_000

const certificatesSchema = z.object({
  data: z.array(
    z.object({
      serial_no: z.string(),
      encrypt_certificate: z.object({
        nonce: z.string(),
        associated_data: z.string().optional(),
        ciphertext: z.string(),
      }),
    }),
  ),
})

/** Finds the key that verifies WeChat Pay's signatures, by its serial; null for a serial that WeChat Pay does not have. */
export type FindPlatformKey = (serial: string) => Promise<KeyObject | null>

/**
 * Provides keys of WeChat Pay: the fixed one, or its certificates, which change every few years, with a day in which the old ones
 * stay valid. `download` returns the text of `GET /v3/certificates`, whose content only an owner of the APIv3 key can encrypt.
 */
export function createPlatformKeys(
  { public_key, api_v3_key }: Pick<WechatPayConfig, 'public_key' | 'api_v3_key'>,
  download: () => Promise<string>,
): FindPlatformKey {
  if (public_key) {
    const key = createPublicKey(public_key.pem)
    return async (serial) => (serial === public_key.id ? key : null)
  }
  let keys = new Map<string, KeyObject>()
  let refreshedAt = -Infinity
  let refreshing: Promise<void> | null = null

  async function refresh(): Promise<void> {
    const { data } = certificatesSchema.parse(JSON.parse(await download()))
    const certificates = data.map(
      ({ encrypt_certificate }) => new X509Certificate(decrypt(encrypt_certificate, api_v3_key)),
    )
    const now = Date.now()
    keys = new Map(
      certificates
        .filter(({ validTo }) => Date.parse(validTo) > now)
        .map((certificate) => [certificate.serialNumber.toUpperCase(), certificate.publicKey]),
    )
    refreshedAt = now
  }

  return async (serialNumber) => {
    const serial = serialNumber.toUpperCase()
    const age = Date.now() - refreshedAt
    if (age > REFRESH_MS || (!keys.has(serial) && age > MIN_REFRESH_MS)) {
      refreshing ??= refresh().finally(() => (refreshing = null))
      await refreshing.catch((error: unknown) => {
        // Known keys stay valid.
        if (!keys.has(serial)) throw error
      })
    }
    return keys.get(serial) ?? null
  }
}
