import { and, asc, count, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { BlockSummary } from '#contract/blocks.ts'
import type { Piece } from '#contract/readings.ts'
import type { Db } from '#server/core/database/database.ts'
import { fileColumns, joinFile } from '#server/files/files.ts'
import { blockPieces, blocks } from './tables.ts'

export type BlockRow = typeof blocks.$inferSelect
/** A block with its file. */
export type StoredBlock = Omit<BlockRow, 'summary_claimed_at'> & {
  type: string
  size: number
  md5: string
  key: string
}
export type BlockState = Pick<BlockRow, 'name' | 'status'>
export type PieceRow = Omit<typeof blockPieces.$inferSelect, 'block_id'>

const columns = {
  id: blocks.id,
  user_id: blocks.user_id,
  file_id: blocks.file_id,
  channel: blocks.channel,
  name: blocks.name,
  link: blocks.link,
  status: blocks.status,
  code: blocks.code,
  task_id: blocks.task_id,
  format: blocks.format,
  report: blocks.report,
  pieces: blocks.pieces,
  chars: blocks.chars,
  summary: blocks.summary,
  created_at: blocks.created_at,
  ...fileColumns,
}
const select = (db: Db) =>
  db
    .select(columns)
    .from(blocks)
    .innerJoin(...joinFile(blocks.file_id))

export async function insertBlock(
  tx: Db,
  block: Pick<BlockRow, 'id' | 'user_id' | 'file_id' | 'channel' | 'name' | 'link' | 'task_id' | 'status'>,
): Promise<void> {
  await tx.insert(blocks).values(block)
}

/** Lists some of a user's blocks, in the order of the ids, without those of others. */
export async function listBlocksById(db: Db, userId: string, ids: string[]): Promise<StoredBlock[]> {
  const rows = await select(db).where(and(eq(blocks.user_id, userId), inArray(blocks.id, ids)))
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
}

export async function findBlock(db: Db, userId: string, id: string): Promise<StoredBlock | undefined> {
  return (await listBlocksById(db, userId, [id]))[0]
}

/** Finds a block that the server itself names, the subject of a run. */
export async function findBlockById(db: Db, id: string): Promise<BlockRow | undefined> {
  const [row] = await db.select().from(blocks).where(eq(blocks.id, id))
  return row
}

/** Lists the states of blocks that the server itself names. */
export async function listStates(db: Db, ids: string[]): Promise<Map<string, BlockState>> {
  const rows = await db
    .select({ id: blocks.id, name: blocks.name, status: blocks.status })
    .from(blocks)
    .where(inArray(blocks.id, ids))
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}

/** Locks a user's blocks in a channel against deletion; returns how many of the ids there are. */
export async function lockBlocks(tx: Db, userId: string, channel: string, ids: string[]): Promise<number> {
  const rows = await tx
    .select({ id: blocks.id })
    .from(blocks)
    .where(and(isOwn(userId, channel), inArray(blocks.id, ids)))
    .for('key share')
  return rows.length
}

/** Finds the block of a file that the caller's transaction has locked. */
export async function findBlockOfFile(tx: Db, fileId: string): Promise<StoredBlock | undefined> {
  const [row] = await select(tx).where(eq(blocks.file_id, fileId))
  return row
}

/** Finds a user's block of this content in this channel. */
export async function findBlockByMd5(
  db: Db,
  userId: string,
  channel: string,
  md5: string,
): Promise<StoredBlock | undefined> {
  const rows = await select(db).where(
    and(eq(blocks.user_id, userId), eq(blocks.channel, channel), eq(fileColumns.md5, md5)),
  )
  return rows[0]
}

const isOwn = (userId: string, channel: string | undefined) =>
  and(eq(blocks.user_id, userId), channel === undefined ? undefined : eq(blocks.channel, channel))

export async function listBlocks(
  db: Db,
  userId: string,
  { channel, size, offset }: { channel: string | undefined; size: number; offset: number },
): Promise<StoredBlock[]> {
  return select(db)
    .where(isOwn(userId, channel))
    .orderBy(desc(blocks.created_at), desc(blocks.id))
    .limit(size)
    .offset(offset)
}

export async function countBlocks(db: Db, userId: string, channel: string | undefined): Promise<number> {
  return (await db.select({ n: count() }).from(blocks).where(isOwn(userId, channel)))[0]!.n
}

export async function updateBlock(
  tx: Db,
  userId: string,
  id: string,
  changes: Partial<Omit<BlockRow, 'id' | 'user_id'>>,
): Promise<void> {
  await tx
    .update(blocks)
    .set(changes)
    .where(and(eq(blocks.id, id), eq(blocks.user_id, userId)))
}

/** Lets a block wait for a reading, if it is still as it was found; returns false where another reading took it meanwhile. */
export async function beginReading(
  tx: Db,
  { id, status, task_id: previousTaskId }: Pick<BlockRow, 'id' | 'status' | 'task_id'>,
  taskId: string,
): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    UPDATE blocks SET status = 0, code = NULL, task_id = ${taskId}
    WHERE id = ${id} AND status = ${status} AND task_id IS NOT DISTINCT FROM ${previousTaskId} RETURNING id`)
  return rows.length > 0
}

/** Adds pieces behind the `first - 1` that are there; what is already there stays. */
export async function insertPieces(
  tx: Db,
  { user_id, id }: Pick<BlockRow, 'user_id' | 'id'>,
  first: number,
  pieces: Piece[],
): Promise<void> {
  if (!pieces.length) return
  const rows = pieces.map(({ text, place }, at) => ({ n: first + at, text, place }))
  await tx.execute(sql`
    INSERT INTO block_pieces (block_id, n, text, place)
    SELECT ${id}::uuid, n, text, place
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS piece(n int, text text, place jsonb)
    ON CONFLICT DO NOTHING`)
  const chars = pieces.reduce((sum, { text }) => sum + text.length, 0)
  await tx.execute(sql`
    UPDATE blocks SET pieces = ${first + pieces.length - 1}, chars = chars + ${chars}
    WHERE id = ${id} AND user_id = ${user_id}`)
}

/** Drops the summary, and the claim of a run that is writing one of other pieces. */
const NO_SUMMARY = { summary: null, summary_claimed_at: null }

/** Forgets what was read of a block. */
export async function deletePieces(tx: Db, { user_id, id }: Pick<BlockRow, 'user_id' | 'id'>): Promise<void> {
  await tx.delete(blockPieces).where(eq(blockPieces.block_id, id))
  await updateBlock(tx, user_id, id, { pieces: 0, chars: 0, report: null, format: null, ...NO_SUMMARY })
}

/** Replaces the pieces of a block. */
export async function replacePieces(
  tx: Db,
  block: Pick<BlockRow, 'user_id' | 'id'>,
  pieces: Piece[],
): Promise<void> {
  await tx.delete(blockPieces).where(eq(blockPieces.block_id, block.id))
  await updateBlock(tx, block.user_id, block.id, { chars: 0, ...NO_SUMMARY })
  await insertPieces(tx, block, 1, pieces)
}

/** Pieces behind number `after`, at most `size` of them. */
type PieceRange = { after: number; size: number }

const selectPieces = (db: Db, isWanted: SQL | undefined, { after, size }: PieceRange): Promise<PieceRow[]> =>
  db
    .select({ n: blockPieces.n, text: blockPieces.text, place: blockPieces.place })
    .from(blockPieces)
    .innerJoin(blocks, eq(blocks.id, blockPieces.block_id))
    .where(and(isWanted, gt(blockPieces.n, after)))
    .orderBy(asc(blockPieces.n))
    .limit(size)

/** Lists pieces of a user's block. */
export const listPieces = (db: Db, { user_id, id }: Pick<BlockRow, 'user_id' | 'id'>, range: PieceRange) =>
  selectPieces(db, and(eq(blocks.id, id), eq(blocks.user_id, user_id)), range)

/** Lists pieces of a block that the server itself names, one that is indexed. */
export const listIndexedPieces = (db: Db, blockId: string, range: PieceRange) =>
  selectPieces(db, eq(blocks.id, blockId), range)

/** A claim lapses after this long: its run has died. */
const CLAIM = sql`interval '3 minutes'`

/**
 * Claims the writing of a summary. Returns true where nobody else is at it, there is none, and the block has not been read again
 * since it was found. The run that writes it is created in the same transaction.
 */
export async function claimSummary(
  tx: Db,
  { user_id, id, task_id }: Pick<BlockRow, 'user_id' | 'id' | 'task_id'>,
): Promise<boolean> {
  const claimed = await tx
    .update(blocks)
    .set({ summary_claimed_at: sql`now()` })
    .where(
      and(
        eq(blocks.id, id),
        eq(blocks.user_id, user_id),
        sql`${blocks.task_id} IS NOT DISTINCT FROM ${task_id}`,
        isNull(blocks.summary),
        or(isNull(blocks.summary_claimed_at), lt(blocks.summary_claimed_at, sql`now() - ${CLAIM}`)),
      ),
    )
    .returning({ id: blocks.id })
  return claimed.length > 0
}

/** Keeps the summary that a run wrote, or with null gives its claim back; does nothing where another run has the claim. */
export async function saveSummary(
  tx: Db,
  { id, run_id }: { id: string; run_id: string },
  summary: BlockSummary | null,
): Promise<void> {
  // Claim and run are of one transaction, and so have the same time.
  const claimedAt = sql`(SELECT started_at FROM runs WHERE id = ${run_id})`
  await tx
    .update(blocks)
    .set({ summary, summary_claimed_at: null })
    .where(and(eq(blocks.id, id), eq(blocks.summary_claimed_at, claimedAt)))
}
