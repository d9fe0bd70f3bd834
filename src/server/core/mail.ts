import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import type { Config } from './config.ts'
import { createId } from './ids.ts'
import type { Log } from './log.ts'

/** A message to a person. `code` repeats the code of the text for programs that read the outbox. */
export type MailMessage = { to: string; channel: 'email'; subject: string; text: string; code: string }

/** Sends a message; resolves when it was taken over for delivery. */
export type Mailer = { send(message: MailMessage): Promise<void> }

type MailConfig = Pick<Config, 'environment' | 'data_dir' | 'smtp_url' | 'mail_from'>

/** SMTP where it is configured; else the outbox, a folder with one JSON file a message. */
export function createMailer(config: MailConfig, log: Log): Mailer {
  if (config.environment === 'production' && !config.smtp_url) {
    log.warn('SMTP_URL is not set: messages go to the outbox folder, nobody receives them')
  }
  const deliver = config.smtp_url
    ? createSmtpDelivery(config.smtp_url, config.mail_from)
    : createOutboxDelivery(getOutboxDir(config.data_dir))
  return {
    async send(message) {
      await deliver(message)
      log.debug({ to: message.to, channel: message.channel, subject: message.subject }, 'message sent')
    },
  }
}

const getOutboxDir = (data_dir: string): string => join(data_dir, 'outbox')

function createSmtpDelivery(url: string, from: string) {
  let transport: Transporter | undefined
  return async ({ to, subject, text }: MailMessage): Promise<void> => {
    // Loaded with the first mail: most starts send none.
    transport ??= (await import('nodemailer')).createTransport(url)
    await transport.sendMail({ from, to, subject, text })
  }
}

const createOutboxDelivery =
  (dir: string) =>
  async (message: MailMessage): Promise<void> => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const name = createId()
    // A reader never finds half a message.
    await writeFile(join(dir, `${name}.part`), JSON.stringify(message, null, 2), { mode: 0o600 })
    await rename(join(dir, `${name}.part`), join(dir, `${name}.json`))
  }

/** The newest messages of the outbox, newest first, with the moment their name carries. */
export async function readOutbox(
  data_dir: string,
  limit: number,
): Promise<(MailMessage & { created_at: string })[]> {
  const dir = getOutboxDir(data_dir)
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
