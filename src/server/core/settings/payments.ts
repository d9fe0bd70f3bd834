import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'

/** The settings of payments, as part of the environment. */
export const paymentEnvironment = {
  PAY_SANDBOX: z.enum(['true', 'false']).optional(),
  WECHAT_PAY_MCHID: z.string().min(1).max(32).optional(),
  WECHAT_PAY_APPID: z.string().min(1).max(32).optional(),
  WECHAT_PAY_SERIAL: z.string().min(1).max(100).optional(),
  WECHAT_PAY_KEY_FILE: z.string().min(1).optional(),
  WECHAT_PAY_API_V3_KEY: z.string().length(32).optional(),
  WECHAT_PAY_PUBLIC_KEY_ID: z.string().min(1).max(100).optional(),
  WECHAT_PAY_PUBLIC_KEY_FILE: z.string().min(1).optional(),
  WECHAT_PAY_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.mch.weixin.qq.com'),
  ALIPAY_APP_ID: z.string().min(1).max(32).optional(),
  ALIPAY_KEY_FILE: z.string().min(1).optional(),
  ALIPAY_PUBLIC_KEY_FILE: z.string().min(1).optional(),
  ALIPAY_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://openapi.alipay.com/gateway.do'),
}
const environmentSchema = z.object(paymentEnvironment)

export type WechatPayConfig = {
  mchid: string
  appid: string
  /** Serial number of the merchant's certificate. */
  serial: string
  /** PEM. */
  private_key: string
  /** Decrypts notifications and certificates; 32 bytes. */
  api_v3_key: string
  /** WeChat Pay's own key, for merchants that have one instead of certificates, which change. PEM. */
  public_key: { id: string; pem: string } | null
  /** Without a trailing slash. */
  base_url: string
}

export type AlipayConfig = {
  app_id: string
  /** PEM. */
  private_key: string
  /** Alipay's key, not the application's. PEM. */
  public_key: string
  base_url: string
}

/** The payment providers. Without any of them nothing can be bought. */
export type PaymentConfig = {
  /** Orders are paid by a call; never in production. */
  sandbox: boolean
  wechat: WechatPayConfig | null
  alipay: AlipayConfig | null
}

/** Throws ConfigError for incomplete settings of a provider, and for a sandbox in production. */
export function toPaymentConfig(e: z.output<typeof environmentSchema>, environment: string): PaymentConfig {
  if (environment === 'production' && e.PAY_SANDBOX === 'true') {
    throw new ConfigError(
      '生产环境不能使用沙箱支付，请去掉 PAY_SANDBOX / PAY_SANDBOX must not be true in production',
    )
  }
  const wechat = toWechatPayConfig(e)
  const sandbox = environment !== 'production' && e.PAY_SANDBOX !== 'false' && !wechat
  return { sandbox, wechat, alipay: toAlipayConfig(e) }
}

function toWechatPayConfig(e: z.output<typeof environmentSchema>): WechatPayConfig | null {
  const { WECHAT_PAY_MCHID: mchid, WECHAT_PAY_APPID: appid, WECHAT_PAY_SERIAL: serial } = e
  const { WECHAT_PAY_KEY_FILE: keyFile, WECHAT_PAY_API_V3_KEY: apiV3Key } = e
  if (!mchid) return null
  if (!appid || !serial || !keyFile || !apiV3Key) {
    throw new ConfigError(
      'WECHAT_PAY_MCHID 需要 WECHAT_PAY_APPID、WECHAT_PAY_SERIAL、WECHAT_PAY_KEY_FILE 和 WECHAT_PAY_API_V3_KEY / needs the other four settings of WeChat Pay',
    )
  }
  const { WECHAT_PAY_PUBLIC_KEY_ID: id, WECHAT_PAY_PUBLIC_KEY_FILE: file } = e
  const publicKey = id && file ? { id, pem: readKey('WECHAT_PAY_PUBLIC_KEY_FILE', file) } : null
  const privateKey = readKey('WECHAT_PAY_KEY_FILE', keyFile)
  const baseUrl = e.WECHAT_PAY_BASE_URL.replace(/\/+$/, '')
  return {
    mchid,
    appid,
    serial,
    private_key: privateKey,
    api_v3_key: apiV3Key,
    public_key: publicKey,
    base_url: baseUrl,
  }
}

function toAlipayConfig(e: z.output<typeof environmentSchema>): AlipayConfig | null {
  const { ALIPAY_APP_ID: appId, ALIPAY_KEY_FILE: keyFile, ALIPAY_PUBLIC_KEY_FILE: publicKeyFile } = e
  if (!appId) return null
  if (!keyFile || !publicKeyFile) {
    throw new ConfigError(
      'ALIPAY_APP_ID 需要 ALIPAY_KEY_FILE 和 ALIPAY_PUBLIC_KEY_FILE / needs ALIPAY_KEY_FILE and ALIPAY_PUBLIC_KEY_FILE',
    )
  }
  const privateKey = readKey('ALIPAY_KEY_FILE', keyFile)
  const publicKey = readKey('ALIPAY_PUBLIC_KEY_FILE', publicKeyFile)
  return { app_id: appId, private_key: privateKey, public_key: publicKey, base_url: e.ALIPAY_BASE_URL }
}

/** Returns the PEM text of a file. Throws ConfigError that names the setting, never the file's content. */
function readKey(setting: string, file: string): string {
  let pem = ''
  try {
    pem = readFileSync(file, 'utf8')
  } catch {
    // Reported below.
  }
  if (/-----BEGIN [A-Z ]+-----/.test(pem)) return pem
  throw new ConfigError(`${setting} 不是可以读取的 PEM 文件 / names no PEM file that can be read: ${file}`)
}
