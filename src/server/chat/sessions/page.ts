import { AppError } from '../../core/app-error.ts'
import type { Db } from '../../core/database.ts'
import { newestPage } from '../store.ts'
import type { VersionedRow } from '../store.ts'
import { messagesAfter } from './store.ts'

/** Which part of a session: beside a message, around one, or (without any) the newest. */
export type Place = { before?: string | undefined; after?: string | undefined; around?: string | undefined }
/** Messages, oldest first; whether there are older and newer ones. */
type Page = { rows: VersionedRow[]; has_more: boolean; has_newer: boolean }

/** A page of a session the caller owns. Throws AppError not_found when there is no message to read around. */
export async function readPage(db: Db, sess_id: string, place: Place, size: number): Promise<Page> {
  if (place.around) return readAround(db, sess_id, place.around, size)
  if (place.after) {
    const rows = await messagesAfter(db, sess_id, { id: place.after, itself: false, size: size + 1 })
    return { rows: rows.slice(0, size), has_more: rows.length > 0, has_newer: rows.length > size }
  }
  const newest = await newestPage(db, sess_id, { size: size + 1, before: place.before })
  return { rows: newest.slice(0, size).reverse(), has_more: newest.length > size, has_newer: false }
}

async function readAround(db: Db, sess_id: string, id: string, size: number): Promise<Page> {
  const half = Math.floor(size / 2)
  const older = await newestPage(db, sess_id, { size: half + 1, before: id })
  const newer = await messagesAfter(db, sess_id, { id, itself: true, size: size - half + 1 })
  if (!older.length && !newer.length) throw new AppError('not_found')
  return {
    rows: [...older.slice(0, half).reverse(), ...newer.slice(0, size - half)],
    has_more: older.length > half,
    has_newer: newer.length > size - half,
  }
}
