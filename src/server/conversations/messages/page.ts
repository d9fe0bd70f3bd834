import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import { listMessagesAfter, listNewestPage } from './store.ts'
import type { VersionedRow } from './store.ts'

/** The part of a session to read: before, after or around a message, or (without any) the newest. */
export type PageAnchor = {
  before?: string | undefined
  after?: string | undefined
  around?: string | undefined
}
/** Messages, oldest first; `has_more` means older ones. */
type MessagePage = { rows: VersionedRow[]; has_more: boolean; has_newer: boolean }

/** Reads a page of a session the caller owns. Throws AppError not_found without a message to read around. */
export async function loadMessagePage(
  db: Db,
  sessId: string,
  anchor: PageAnchor,
  size: number,
): Promise<MessagePage> {
  if (anchor.around) return loadPageAround(db, sessId, anchor.around, size)
  if (anchor.after) {
    const rows = await listMessagesAfter(db, sessId, { id: anchor.after, itself: false, size: size + 1 })
    return { rows: rows.slice(0, size), has_more: rows.length > 0, has_newer: rows.length > size }
  }
  const newest = await listNewestPage(db, sessId, { size: size + 1, before: anchor.before })
  return { rows: newest.slice(0, size).reverse(), has_more: newest.length > size, has_newer: false }
}

async function loadPageAround(db: Db, sessId: string, id: string, size: number): Promise<MessagePage> {
  const half = Math.floor(size / 2)
  const older = await listNewestPage(db, sessId, { size: half + 1, before: id })
  const newer = await listMessagesAfter(db, sessId, { id, itself: true, size: size - half + 1 })
  if (!older.length && !newer.length) throw new AppError('not_found')
  return {
    rows: [...older.slice(0, half).reverse(), ...newer.slice(0, size - half)],
    has_more: older.length > half,
    has_newer: newer.length > size - half,
  }
}
