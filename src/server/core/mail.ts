import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import { findNameProblem } from '#contract/names.ts'
import type { Config, SmsConfig } from './config.ts'
import { createId } from './ids.ts'
import { filterObjects, getField } from './json.ts'
import type { Log } from './log.ts'
import { callTencentCloud } from './tencent-cloud.ts'

/** A message to a person. A code is repeated in `code`, for SMS templates and for programs that read the outbox. */
export type MailMessage = {
  to: string
  channel: 'email' | 'sms'
  subject: string
  text: string
  code: string | null
  /** How long the code is valid. */
  minutes: number | null
  /** Address for a POST without a cookie that unsubscribes (RFC 8058); mail programs have a button for it. */
  unsubscribe_url?: string
}

/** Sends a message; resolves when it was accepted for delivery. */
export type Mailer = { send(message: MailMessage): Promise<void> }

type MailConfig = Pick<Config, 'environment' | 'data_dir' | 'smtp_url' | 'mail_from' | 'sms'>

/** Sends by SMTP and Tencent Cloud's SMS where configured; else into the outbox, a folder with one JSON file a message. */
export function createMailer(config: MailConfig, log: Log): Mailer {
  if (config.environment === 'production' && !config.smtp_url) {
    log.warn('SMTP_URL is not set: messages go to the outbox folder, nobody receives them')
  }
  const outbox = createOutboxDelivery(getOutboxDir(config.data_dir))
  const deliverMail = config.smtp_url ? createSmtpDelivery(config.smtp_url, config.mail_from) : outbox
  const deliverSms = config.sms ? createSmsDelivery(config.sms) : outbox
  return {
    async send(message) {
      await (message.channel === 'sms' ? deliverSms : deliverMail)(message)
      log.debug({ channel: message.channel, subject: message.subject }, 'message sent')
    },
  }
}

const getOutboxDir = (dataDir: string): string => join(dataDir, 'outbox')

function createSmtpDelivery(url: string, from: string) {
  let transport: Transporter | undefined
  return async ({ to, subject, text, unsubscribe_url }: MailMessage): Promise<void> => {
    // Imported with the first mail: most starts send none.
    transport ??= (await import('nodemailer')).createTransport(url)
    const headers = unsubscribe_url && {
      'List-Unsubscribe': `<${unsubscribe_url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    await transport.sendMail({ from, to, subject, text, ...(headers ? { headers } : {}) })
  }
}

const MAX_MAIL_NAME_CHARS = 20
const characters = new Intl.Segmenter('zh', { granularity: 'grapheme' })

/**
 * Formats the name of a person or an organization for a mail: short, and with nothing that a mail program would turn into a link.
 * Null for a name that may not be shown (names.ts), as an old one may be: the mail then goes without it.
 */
export function toMailName(name: string): string | null {
  if (!name || findNameProblem(name)) return null
  const letters = [...characters.segment(name)].map(({ segment }) => segment)
  const short =
    letters.length > MAX_MAIL_NAME_CHARS ? `${letters.slice(0, MAX_MAIL_NAME_CHARS - 1).join('')}…` : name
  const parted = short.replace(/(?<=[\p{L}\p{N}][.。．])(?=\p{L}{2})/gu, ' ')
  return `「${parted.replaceAll('「', '『').replaceAll('」', '』')}」`
}

/** https://cloud.tencent.com/document/api/382/55981 */
const createSmsDelivery =
  ({ app_id, sign_name, template_id, region, endpoint, ...keys }: SmsConfig) =>
  async ({ to, code, minutes }: MailMessage): Promise<void> => {
    const call = { service: 'sms', action: 'SendSms', version: '2021-01-11', region, endpoint } as const
    const answer = await callTencentCloud(keys, call, {
      PhoneNumberSet: [`+86${to}`],
      SmsSdkAppId: app_id,
      SignName: sign_name,
      TemplateId: template_id,
      TemplateParamSet: [code, String(minutes)],
    })
    // A call can succeed although its only message was refused.
    const refusal = getField(getField(answer, 'Error'), 'Code')
    const [status] = filterObjects(getField(answer, 'SendStatusSet'))
    const outcome = refusal ?? getField(status, 'Code')
    if (outcome !== 'Ok') throw new Error(`SMS refused: ${String(outcome)}`)
  }

const createOutboxDelivery =
  (dir: string) =>
  async (message: MailMessage): Promise<void> => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const name = createId()
    // Renamed when complete, so that no reader finds half a message.
    await writeFile(join(dir, `${name}.part`), JSON.stringify(message, null, 2), { mode: 0o600 })
    await rename(join(dir, `${name}.part`), join(dir, `${name}.json`))
  }

/** Reads the newest messages of the outbox, newest first, with the moment in their names. */
export async function readOutbox(
  dataDir: string,
  limit: number,
): Promise<(MailMessage & { created_at: string })[]> {
  const dir = getOutboxDir(dataDir)
  const names = await readdir(dir).catch(() => [])
  const newest = names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
    .slice(0, limit)
  return Promise.all(
    newest.map(async (name) => {
      const message = JSON.parse(await readFile(join(dir, name), 'utf8')) as MailMessage
      return {
        ...message,
        created_at: new Date(parseInt(name.replaceAll('-', '').slice(0, 12), 16)).toISOString(),
      }
    }),
  )
}
