import { timingSafeEqual } from 'node:crypto'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { toMailbox } from '#server/core/limits/mailbox.ts'
import { hashWithSecret } from '#server/core/secrets.ts'
import { deleteRefusal, insertRefusal, isRefused } from './store.ts'

export type Refusals = ReturnType<typeof createRefusals>

/**
 * Mailboxes that refuse invitations, stored only as keyed hashes. Anybody with the link of a mail may refuse, and withdraw that,
 * without an account.
 */
export function createRefusals({ db, app_secret }: { db: Db; app_secret: string }) {
  const sign = (mailbox: string): string => hashWithSecret(app_secret, 'invitation refusal', mailbox)
  /** Returns the mailbox hash in a token; null for a forged token. */
  const openToken = (token: string): string | null => {
    const [mailbox = '', signature = ''] = token.split('.')
    const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(mailbox))]
    return actual.length === expected.length && timingSafeEqual(actual, expected) ? mailbox : null
  }
  const requireMailbox = (token: string): string => {
    const mailbox = openToken(token)
    if (mailbox === null) throw new AppError('not_found')
    return mailbox
  }

  return {
    /** Hashes a mailbox, alike for all spellings of its address, since every provider may support tags. */
    hashMailbox: (email: string): string =>
      hashWithSecret(app_secret, 'mailbox', toMailbox(email).replace(/(?<=.)\+[^@]*/, '')),

    createToken: (mailbox: string): string => `${mailbox}.${sign(mailbox)}`,

    /** Tells whether the mailbox of a token refuses invitations; null for a forged token. */
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
