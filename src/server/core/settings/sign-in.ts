import { z } from 'zod'
import { ConfigError } from './config-error.ts'

/** Settings of signing in: how many codes are sent, and the external services that it may use. */
export const signInEnvironment = {
  CODE_TARGETS: z.coerce.number().int().min(1).max(1_000_000).default(20),
  MAIL_CODES_TOTAL: z.coerce.number().int().min(0).max(1_000_000).default(20_000),
  SMS_CODES_TOTAL: z.coerce.number().int().min(0).max(1_000_000).default(5_000),
  TENCENT_SECRET_ID: z.string().min(1).optional(),
  TENCENT_SECRET_KEY: z.string().min(1).optional(),
  SMS_APP_ID: z.string().min(1).optional(),
  SMS_SIGN_NAME: z.string().min(1).optional(),
  SMS_TEMPLATE_ID: z.string().min(1).optional(),
  SMS_REGION: z.string().min(1).default('ap-guangzhou'),
  SMS_ENDPOINT: z.url({ protocol: /^https?$/ }).default('https://sms.tencentcloudapi.com'),
  WECHAT_APP_ID: z.string().min(1).optional(),
  WECHAT_APP_SECRET: z.string().min(1).optional(),
  WECHAT_MP_APP_ID: z.string().min(1).optional(),
  WECHAT_MP_APP_SECRET: z.string().min(1).optional(),
  WECHAT_CONNECT_URL: z.url({ protocol: /^https?$/ }).default('https://open.weixin.qq.com'),
  WECHAT_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.weixin.qq.com'),
  CAPTCHA_APP_ID: z.string().regex(/^\d+$/).optional(),
  CAPTCHA_APP_SECRET: z.string().min(1).optional(),
  CAPTCHA_ENDPOINT: z.url({ protocol: /^https?$/ }).default('https://captcha.tencentcloudapi.com'),
}

/** https://console.cloud.tencent.com/smsv2: an application, and an approved signature and template. */
export type SmsConfig = {
  secret_id: string
  secret_key: string
  endpoint: string
  app_id: string
  sign_name: string
  /** Its first parameter is the code, its second the minutes that the code is valid. */
  template_id: string
  region: string
}

/** https://console.cloud.tencent.com/captcha: a verification with its key. */
export type CaptchaConfig = {
  secret_id: string
  secret_key: string
  endpoint: string
  app_id: string
  app_secret: string
}

/** An application's credentials at WeChat. */
type WechatApp = { app_id: string; app_secret: string }

export type SignInConfig = {
  /** New addresses and numbers that one client may have codes sent to in an hour; known browsers are exempt. */
  code_targets: number
  /** Codes that the server sends in a day, over all clients. */
  mail_codes_total: number
  sms_codes_total: number
  /** Delivers messages to phones; null: they go to the outbox, in production to nobody. */
  sms: SmsConfig | null
  /** Tells people from programs before a code is sent; null: the browser has to do some computing instead. */
  captcha: CaptchaConfig | null
  /**
   * A website application of WeChat's Open Platform; null: nobody signs in by WeChat. `official_account`: for people in WeChat's
   * own browser, which shows no code to scan.
   */
  wechat: (WechatApp & { connect_url: string; api_url: string; official_account: WechatApp | null }) | null
}

type Environment = z.output<z.ZodObject<typeof signInEnvironment>>

/** Reads settings that belong together; null without the first. Throws ConfigError where others are missing beside it. */
function readTogether<K extends keyof Environment>(
  e: Environment,
  first: K,
  ...others: K[]
): Record<K, string> | null {
  if (!e[first]) return null
  const missingNames = others.filter((name) => !e[name])
  if (missingNames.length) {
    throw new ConfigError(`${first} 需要 ${missingNames.join(' 和 ')} / needs ${missingNames.join(' and ')}`)
  }
  return e as Record<K, string>
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/** Returns each service whose settings are complete, null for the others. Throws ConfigError. */
export function toSignInConfig(e: Environment): SignInConfig {
  const sms = readTogether(
    e,
    'SMS_APP_ID',
    'TENCENT_SECRET_ID',
    'TENCENT_SECRET_KEY',
    'SMS_SIGN_NAME',
    'SMS_TEMPLATE_ID',
  )
  const captcha = readTogether(
    e,
    'CAPTCHA_APP_ID',
    'TENCENT_SECRET_ID',
    'TENCENT_SECRET_KEY',
    'CAPTCHA_APP_SECRET',
  )
  const wechat = readTogether(e, 'WECHAT_APP_ID', 'WECHAT_APP_SECRET')
  const official = readTogether(e, 'WECHAT_MP_APP_ID', 'WECHAT_MP_APP_SECRET', 'WECHAT_APP_ID')
  return {
    code_targets: e.CODE_TARGETS,
    mail_codes_total: e.MAIL_CODES_TOTAL,
    sms_codes_total: e.SMS_CODES_TOTAL,
    sms: sms && {
      secret_id: sms.TENCENT_SECRET_ID,
      secret_key: sms.TENCENT_SECRET_KEY,
      endpoint: e.SMS_ENDPOINT,
      app_id: sms.SMS_APP_ID,
      sign_name: sms.SMS_SIGN_NAME,
      template_id: sms.SMS_TEMPLATE_ID,
      region: e.SMS_REGION,
    },
    captcha: captcha && {
      secret_id: captcha.TENCENT_SECRET_ID,
      secret_key: captcha.TENCENT_SECRET_KEY,
      endpoint: e.CAPTCHA_ENDPOINT,
      app_id: captcha.CAPTCHA_APP_ID,
      app_secret: captcha.CAPTCHA_APP_SECRET,
    },
    wechat: wechat && {
      app_id: wechat.WECHAT_APP_ID,
      app_secret: wechat.WECHAT_APP_SECRET,
      connect_url: withoutSlash(e.WECHAT_CONNECT_URL),
      api_url: withoutSlash(e.WECHAT_API_URL),
      official_account: official && {
        app_id: official.WECHAT_MP_APP_ID,
        app_secret: official.WECHAT_MP_APP_SECRET,
      },
    },
  }
}
