import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './settings/config-error.ts'
import { paymentEnvironment, toPaymentConfig } from './settings/payments.ts'
import type { PaymentConfig } from './settings/payments.ts'
import { signInEnvironment, toSignInConfig } from './settings/sign-in.ts'
import type { SignInConfig } from './settings/sign-in.ts'
export type { CaptchaConfig, SmsConfig } from './settings/sign-in.ts'

const port = z.coerce.number().int().min(0).max(65_535)
const count = z.coerce.number().int().min(0).max(1_000_000)

const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  PORT: port.default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  MODELS_FILE: z.string().default('config/models.json'),
  PROMPTS_FILE: z.string().default('config/prompts.json'),
  AGENTS_FILE: z.string().default('config/agents.json'),
  PLANS_FILE: z.string().default('config/plans.json'),
  APP_URL: z.url({ protocol: /^https?$/ }).optional(),
  APP_SECRET: z.string().min(32).optional(),
  INVITE_COINS: z.coerce.number().min(0).max(1_000_000).multipleOf(0.01).default(100),
  SIGNUP_COINS: z.coerce.number().min(0).max(1_000_000).multipleOf(0.01).default(50),
  GUEST_TURNS: count.default(5),
  GUEST_TURNS_TOTAL: count.default(1000),
  GIVEN_COINS_TOTAL: z.coerce.number().min(0).max(1_000_000_000).multipleOf(0.01).default(100_000),
  SIGNUPS: count.default(20),
  SIGNUPS_TOTAL: count.default(5_000),
  INVITATION_MAILS_TOTAL: count.default(1000),
  TITLE_MODEL: z.string().max(120).default('auto'),
  EMBEDDING_MODEL: z.string().max(120).default('auto'),
  RERANK_MODEL: z.string().max(120).default('auto'),
  TRUST_PROXY: z.coerce.number().int().min(0).max(8).default(0),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  CONTACT: z.string().min(1).max(200).optional(),
  MAIL_FROM: z.string().max(254).default('问渠 <no-reply@localhost>'),
  SEARCH_PROVIDER: z.enum(['searxng', 'bocha', 'tavily', 'brave']).optional(),
  SEARCH_API_KEY: z.string().max(500).optional(),
  SEARCH_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET: z.string().min(1).max(100).optional(),
  S3_REGION: z.string().min(1).max(60).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_PATH_STYLE: z.enum(['true', 'false']).default('true'),
  S3_STS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_ROLE_ARN: z.string().max(300).default('arn:aws:iam::000000000000:role/wenqu-upload'),
  COS_BUCKET: z
    .string()
    .regex(/^[a-z0-9-]+-\d+$/)
    .optional(),
  COS_REGION: z.string().min(1).max(60).optional(),
  COS_SECRET_ID: z.string().min(1).optional(),
  COS_SECRET_KEY: z.string().min(1).optional(),
  COS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  COS_STS_ENDPOINT: z.url({ protocol: /^https?$/ }).default('https://sts.tencentcloudapi.com'),
  VITE_DEV_URL: z.url().optional(),
  ...paymentEnvironment,
  ...signInEnvironment,
})

export type Config = SignInConfig & {
  environment: 'development' | 'production' | 'test'
  /** The work of this process: requests of people and programs (`web`), jobs and tasks (`worker`), or both. */
  role: 'all' | 'web' | 'worker'
  port: number
  host: string
  /** Absolute. Holds the embedded database, the outbox and generated secrets. */
  data_dir: string
  database_url: string | null
  models_file: string
  /** The file of the built-in prompts. */
  prompts_file: string
  /** The file of the operator's public agents; it may be missing. */
  agents_file: string
  /** The file of the plans on sale. */
  plans_file: string
  /** The site's public address, without a trailing slash. */
  app_url: string
  /** Keys the hashes of low-entropy secrets (sign-in codes, client addresses). */
  app_secret: string
  /** Coins a new account starts with. */
  signup_coins: number
  /** Coins for the person who invited a new account, given with its first paid order. */
  invite_coins: number
  /** Questions that a guest may ask a day; an address gets four times as many, since people share one. */
  guest_turns: number
  /** Questions that all guests together may ask a day: this bounds the operator's spending on strangers. */
  guest_turns_total: number
  /** Invitations to organizations that may be mailed for all accounts together in 24 hours. */
  invitation_mails_total: number
  /** Coins that the operator gives away a day: for guests, for titles, and as the first coins of new accounts. */
  given_coins_total: number
  /** New accounts in 24 hours from one client address, and in all. */
  signups: number
  signups_total: number
  /** The model that writes titles of conversations: `auto` is the cheapest real one, `off` none, else its id. */
  title_model: string
  /** The models that make vectors of documents and rank passages: `auto`, `off`, or an id. */
  embedding_model: string
  rerank_model: string
  /** Number of reverse proxies in front whose X-Forwarded-For is trusted. */
  trust_proxy: number
  log_level: string
  smtp_url: string | null
  mail_from: string
  /** How to reach the operator: an e-mail address, a phone number, a sentence. Null: nothing is shown. */
  contact: string | null
  /** Null: answers are written without the web. */
  search: SearchConfig | null
  /** The place of uploaded files. */
  store: StoreConfig
  payments: PaymentConfig
  vite_dev_url: string | null
}

export type SearchConfig = {
  provider: keyof typeof SEARCH_URLS
  /** Without a trailing slash. */
  base_url: string
  /** Empty where the engine needs none. */
  api_key: string
}

type RemoteStore = {
  /** Without a path. */
  endpoint: string
  bucket: string
  region: string
  /** The bucket is the first part of the path instead of the host name. */
  path_style: boolean
  /** Keys of the server; browsers get temporary ones derived from them, each for one folder. */
  secret_id: string
  secret_key: string
  sts_endpoint: string
}

/** A folder in DATA_DIR, any store that speaks S3 and has an STS, or Tencent COS. */
export type StoreConfig =
  | { kind: 'local' }
  | (RemoteStore & { kind: 's3'; role_arn: string })
  | (RemoteStore & { kind: 'cos' })

/** Addresses of the search engines' APIs; null where every operator runs an engine of their own. */
const SEARCH_URLS = {
  searxng: null,
  bocha: 'https://api.bochaai.com/v1',
  tavily: 'https://api.tavily.com',
  brave: 'https://api.search.brave.com/res/v1',
}

/** Makes a schema describe errors in files and settings in full; the server's default messages are short ones for forms. */
export const FOR_OPERATORS = { error: z.locales.en().localeError }

/** Reads and checks the environment. Throws ConfigError. In development a missing APP_SECRET is generated and kept. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environmentSchema.safeParse(variables, FOR_OPERATORS)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`环境变量有误 / invalid environment (see docs/settings.md):\n${lines.join('\n')}`)
  }
  const e = parsed.data
  if (e.ROLE !== 'all' && !e.DATABASE_URL) {
    throw new ConfigError(
      "ROLE=web 和 ROLE=worker 需要 DATABASE_URL：内置数据库只能由一个进程使用 / ROLE needs DATABASE_URL: the embedded database is one process's",
    )
  }
  const dataDir = resolve(e.DATA_DIR)
  return {
    environment: e.NODE_ENV,
    role: e.ROLE,
    port: e.PORT,
    // Only this machine reaches the server until the operator sets HOST: it shows sign-in codes to local requests.
    host: e.HOST ?? (e.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1'),
    data_dir: dataDir,
    database_url: e.DATABASE_URL ?? null,
    models_file: resolve(e.MODELS_FILE),
    prompts_file: resolve(e.PROMPTS_FILE),
    agents_file: resolve(e.AGENTS_FILE),
    plans_file: resolve(e.PLANS_FILE),
    app_url: (e.APP_URL ?? `http://localhost:${e.PORT}`).replace(/\/+$/, ''),
    app_secret: e.APP_SECRET ?? loadDevelopmentSecret(e.NODE_ENV, dataDir),
    invite_coins: e.INVITE_COINS,
    signup_coins: e.SIGNUP_COINS,
    guest_turns: e.GUEST_TURNS,
    guest_turns_total: e.GUEST_TURNS_TOTAL,
    given_coins_total: e.GIVEN_COINS_TOTAL,
    signups: e.SIGNUPS,
    signups_total: e.SIGNUPS_TOTAL,
    invitation_mails_total: e.INVITATION_MAILS_TOTAL,
    title_model: e.TITLE_MODEL,
    embedding_model: e.EMBEDDING_MODEL,
    rerank_model: e.RERANK_MODEL,
    trust_proxy: e.TRUST_PROXY,
    log_level: e.LOG_LEVEL,
    smtp_url: e.SMTP_URL ?? null,
    mail_from: e.MAIL_FROM,
    contact: e.CONTACT ?? null,
    ...toSignInConfig(e),
    search: toSearchConfig(e),
    store: toStoreConfig(e),
    payments: toPaymentConfig(e, e.NODE_ENV),
    vite_dev_url: e.VITE_DEV_URL ?? null,
  }
}

function toSearchConfig(e: z.output<typeof environmentSchema>): SearchConfig | null {
  const { SEARCH_PROVIDER: provider, SEARCH_API_KEY: apiKey = '', SEARCH_BASE_URL } = e
  if (!provider) return null
  const baseUrl = SEARCH_BASE_URL ?? SEARCH_URLS[provider]
  if (!baseUrl) throw new ConfigError('SEARCH_PROVIDER=searxng 需要 SEARCH_BASE_URL / needs SEARCH_BASE_URL')
  if (!apiKey && provider !== 'searxng') {
    throw new ConfigError(`SEARCH_PROVIDER=${provider} 需要 SEARCH_API_KEY / needs SEARCH_API_KEY`)
  }
  return { provider, base_url: baseUrl.replace(/\/+$/, ''), api_key: apiKey }
}

function toStoreConfig(e: z.output<typeof environmentSchema>): StoreConfig {
  if (e.COS_BUCKET) {
    const { COS_BUCKET: bucket, COS_REGION: region, COS_SECRET_ID: secretId, COS_SECRET_KEY: secretKey } = e
    if (!region || !secretId || !secretKey) {
      throw new ConfigError(
        'COS_BUCKET 需要 COS_REGION、COS_SECRET_ID 和 COS_SECRET_KEY / needs COS_REGION, COS_SECRET_ID and COS_SECRET_KEY',
      )
    }
    const endpoint = (e.COS_ENDPOINT ?? `https://cos.${region}.myqcloud.com`).replace(/\/+$/, '')
    const keys = { secret_id: secretId, secret_key: secretKey, sts_endpoint: e.COS_STS_ENDPOINT }
    return { kind: 'cos', endpoint, bucket, region, path_style: e.COS_ENDPOINT !== undefined, ...keys }
  }
  if (!e.S3_BUCKET) return { kind: 'local' }
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID: secretId, S3_SECRET_ACCESS_KEY: secretKey } = e
  if (!S3_ENDPOINT || !secretId || !secretKey) {
    throw new ConfigError(
      'S3_BUCKET 需要 S3_ENDPOINT、S3_ACCESS_KEY_ID 和 S3_SECRET_ACCESS_KEY / needs S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    )
  }
  return {
    kind: 's3',
    endpoint: S3_ENDPOINT.replace(/\/+$/, ''),
    bucket: e.S3_BUCKET,
    region: e.S3_REGION,
    path_style: e.S3_PATH_STYLE === 'true',
    secret_id: secretId,
    secret_key: secretKey,
    sts_endpoint: e.S3_STS_ENDPOINT ?? S3_ENDPOINT,
    role_arn: e.S3_ROLE_ARN,
  }
}

function loadDevelopmentSecret(environment: string, dataDir: string): string {
  if (environment === 'production') {
    throw new ConfigError(
      '生产环境必须设置 APP_SECRET（至少 32 个字符，例如 openssl rand -hex 32 的输出）/ APP_SECRET is required in production',
    )
  }
  const file = join(dataDir, 'app-secret')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    mkdirSync(dataDir, { recursive: true })
    try {
      // Exclusive, so that two first starts at once end up with the same secret.
      writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new ConfigError(`无法写入数据目录 / cannot write to DATA_DIR: ${dataDir}`)
      }
    }
    return readFileSync(file, 'utf8')
  }
}
