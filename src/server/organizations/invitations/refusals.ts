import { timingSafeEqual } from 'node:crypto'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { toMailbox } from '#server/core/limits/mailbox.ts'
import { hashWithSecret } from '#server/core/secrets.ts'
import { deleteRefusal, insertRefusal, isRefused } from './store.ts'

export type Refusals = ReturnType<typeof createRefusals>

/**
 * Mailboxes that want no invitations. Of each nothing but a keyed hash is kept; whoever has the link of a mail may say so, and
 * take it back, without an account.
 */
export function createRefusals({ db, app_secret }: { db: Db; app_secret: string }) {
  const sign = (mailbox: string): string => hashWithSecret(app_secret, 'invitation refusal', mailbox)
  /** The mailbox of a token; null for one that is not ours. */
  const openToken = (token: string): string | null => {
    const [mailbox = '', signature = ''] = token.split('.')
    const [given, own] = [Buffer.from(signature), Buffer.from(sign(mailbox))]
    return given.length === own.length && timingSafeEqual(given, own) ? mailbox : null
  }
  const requireMailbox = (token: string): string => {
    const mailbox = openToken(token)
    if (mailbox === null) throw new AppError('not_found')
    return mailbox
  }

  return {
    /** A mailbox as it is kept, whichever of its addresses is written: a tag may be one with any provider. */
    hashMailbox: (email: string): string =>
      hashWithSecret(app_secret, 'mailbox', toMailbox(email).replace(/(?<=.)\+[^@]*/, '')),

    createToken: (mailbox: string): string => `${mailbox}.${sign(mailbox)}`,

    /** Whether the mailbox of a token refuses invitations; null for a token that is not ours. */
    async find(token: string): Promise<boolean | null> {
      const mailbox = openToken(token)
      return mailbox === null ? null : isRefused(db, mailbox)
    },

    /** Throws AppError not_found. */
    async refuse(token: string): Promise<void> {
      await insertRefusal(db, requireMailbox(token))
    },

    /** Throws AppError not_found. */
    async allow(token: string): Promise<void> {
      await deleteRefusal(db, requireMailbox(token))
    },
  }
}
