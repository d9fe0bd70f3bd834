import type { Block, BlockDetail, BlockSummary, OfferedSummary } from '#contract/blocks.ts'
import { MAX_DETAIL_PIECES } from '#contract/blocks.ts'
import { FANYI } from '#contract/chatbot.ts'
import type { DocumentQuestion } from '#contract/questions/questions.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Egress } from '#server/core/egress/egress.ts'
import type { Visitor } from '#server/core/http.ts'
import { createId } from '#server/core/ids.ts'
import { toPageResponse } from '#server/core/pagination.ts'
import type { Files, NewFile } from '#server/files/files.ts'
import type { Knowledge } from '#server/documents/knowledge/knowledge.ts'
import type { ModelEntry } from '#server/llm/llm.ts'
import type { DocumentSource } from '#server/formats/formats.ts'
import type { Tasks } from '#server/tasks/tasks.ts'
import { createLinks, getLinkName } from './links.ts'
import type { PictureRoom } from './picture-room.ts'
import { canBeSeen, presentBlock } from './presentation.ts'
import { createDocumentPreparation } from './question.ts'
import { createReading, requireReadBlock } from './reading.ts'
import type { ReadingPayload } from './reading.ts'
import { requireVisionModel } from './recognition.ts'
import * as store from './store.ts'
import type { BlockState, StoredBlock } from './store.ts'
import { findSummary, writeSummary } from './summary.ts'
import { findTranscriptionModel, isRecording } from './transcription.ts'
import type { TranscriptionDeps } from './transcription.ts'

export { createPictureRoom } from './picture-room.ts'
export { saveSummaries } from './summary.ts'
export { saveTranscripts } from './transcription.ts'

type Options = TranscriptionDeps & {
  db: Db
  files: Files
  tasks: Tasks
  egress: Egress
  knowledge: Knowledge
  /** Room for the pictures of questions. */
  pictures: PictureRoom
}
type BlockInput = { md5: string; name: string; type: string; size: number; url: string; channel: string }
type RereadInput = { pages?: number[] | undefined; model?: string | undefined }
type Owner = Pick<Visitor, 'user_id' | 'account_id' | 'budgets'>
export type Blocks = ReturnType<typeof createBlocks>

const BEGINNING_PIECES = 8
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Keeps documents that can be asked about, and has them read. */
export function createBlocks({ db, files, tasks, egress, knowledge, pictures, ...models }: Options) {
  const queue = tasks.define(createReading({ db, files, knowledge, ...models }))
  knowledge.connect({
    readPieces: (blockId, after, size) => store.listIndexedPieces(db, blockId, { after, size }),
  })
  const links = createLinks(egress)

  const requireBlock = async (userId: string, id: string): Promise<StoredBlock> => {
    const block = UUID.test(id) ? await store.findBlock(db, userId, id) : null
    if (!block) throw new AppError('not_found')
    return block
  }
  const presentAll = async (userId: string, rows: StoredBlock[]): Promise<Block[]> => {
    const open = rows.flatMap(({ status, task_id }) => (status < 2 && task_id ? [task_id] : []))
    const running = await tasks.list(userId, open)
    return rows.map((row) => presentBlock(row, running.get(row.task_id ?? '')))
  }
  const present = async (row: StoredBlock): Promise<Block> => (await presentAll(row.user_id, [row]))[0]!

  /** Records a file that is in the store, with a block, which is read where its text is needed. */
  const create = async (
    owner: Owner,
    file: NewFile,
    link: string | null,
    how: Pick<ReadingPayload, 'words_only'>,
  ): Promise<Block> => {
    const block = await db.transaction(async (tx) => {
      const { id: fileId, name, channel } = await files.record(tx, file)
      const existing = await store.findBlockOfFile(tx, fileId)
      if (existing) return existing
      const { user_id } = owner
      const row = { id: createId(), user_id, file_id: fileId, channel, name, link }
      const isToRead = needsReading(row)
      const payload = { user_id, block_id: row.id, ...how }
      const taskId = isToRead ? await queue.create(tx, owner, payload, name) : null
      await store.insertBlock(tx, { ...row, task_id: taskId, status: isToRead ? 0 : 2 })
      // The block is looked up here, since it may be deleted right after the commit.
      return (await store.findBlockOfFile(tx, fileId))!
    })
    queue.start()
    await files.discardUpload(file)
    return present(block)
  }

  /** Stores and records a file that the server has. */
  const createFromBytes = async (
    owner: Owner,
    file: Parameters<Files['put']>[1],
    link: string | null,
    how: Pick<ReadingPayload, 'words_only'> = {},
  ): Promise<Block> => create(owner, await files.put(owner.user_id, file), link, how)

  const read = async (owner: Owner, block: StoredBlock, how: RereadInput = {}): Promise<Block> => {
    if (block.status < 2) throw new AppError('block_reading')
    const { id, user_id } = block
    const { model } = how
    const pages = block.status === 2 ? how.pages : undefined
    if (model !== undefined) requireVisionModel(models.catalogue, model)
    await db.transaction(async (tx) => {
      // A reading that failed goes on behind its pieces; one that came to its end begins anew.
      if (block.status === 2 && !pages) {
        await store.deletePieces(tx, block)
        await knowledge.supersede(tx, id)
      }
      const failedTaskId = block.status === 3 && !model ? block.task_id : null
      const goesOn = failedTaskId !== null && (await tasks.retry(tx, owner, failedTaskId))
      const payload = { user_id, block_id: id, pages, model }
      const taskId = goesOn ? failedTaskId : await queue.create(tx, owner, payload, block.name)
      // The second of two calls at once fails here and undoes all of this: its reading would double the text.
      if (!(await store.beginReading(tx, block, taskId))) throw new AppError('block_reading')
    })
    queue.start()
    return present(await requireBlock(user_id, id))
  }

  /** Reads a block that failed; where another call reads it already, returns it as it is. */
  const readFailed = async (owner: Owner, block: StoredBlock): Promise<Block> => {
    try {
      return await read(owner, block)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'block_reading')) throw error
      return present(await requireBlock(block.user_id, block.id))
    }
  }

  /**
   * Returns the ids of a question's blocks, separated by commas in `idList`, where all can be asked about: read as a whole or
   * in part, or pictures. Throws AppError not_found, block_reading, block_failed.
   */
  const requireAskable = async (userId: string, idList: string | null | undefined): Promise<string[]> => {
    const ids = idList ? idList.split(',') : []
    for (const id of ids) {
      const block = await requireBlock(userId, id)
      if (!block.pieces && !canBeSeen(block)) requireReadBlock(block)
    }
    return ids
  }

  return {
    requireAskable,

    /**
     * Saves an upload as a block; returns the existing one where the user has the same content in this channel. Throws AppError
     * file_missing, file_damaged, file_too_large, upload_busy.
     */
    async save(owner: Owner, input: BlockInput): Promise<Block> {
      const existing = await store.findBlockByMd5(db, owner.user_id, input.channel, input.md5)
      if (existing)
        return existing.status === 3 && needsReading(existing)
          ? readFailed(owner, existing)
          : present(existing)
      return create(owner, await files.checkUploaded(owner.user_id, input), null, {})
    },

    /**
     * Saves a file that the server itself has; returns the existing block of the same content. Its owner has no coins, so it is
     * found by its words alone.
     */
    saveBytes: (owner: Owner, file: Parameters<Files['put']>[1]): Promise<Block> =>
      createFromBytes(owner, file, null, { words_only: true }),

    /** Saves the web page or the document behind a link. Throws AppError as `Links.open`, and upload_busy. */
    extractLink: (owner: Owner, url: string, channel: string): Promise<Block> =>
      links.open(owner.user_id, url, (page) => {
        const type = page.content_type.split(';')[0]!.trim().toLowerCase() || 'text/html'
        const name = getLinkName(page.url, type)
        return createFromBytes(owner, { name, type, channel, bytes: page.bytes }, page.url)
      }),

    /** Tells whether recordings can be transcribed, and so be questions. */
    canTranscribe: (): boolean => findTranscriptionModel(models.catalogue) !== undefined,

    /**
     * Checks the blocks that a question names. Returns the words of a spoken question, whose first block is its recording;
     * undefined for other questions, and for a repeated one, whose words are stored. Throws AppError as `requireAskable`,
     * audio_unavailable for a block that is no recording, empty_prompt for one without words.
     */
    async readQuestion(
      userId: string,
      { block: idList, content_type, regen }: Pick<DocumentQuestion, 'block' | 'content_type' | 'regen'>,
    ): Promise<string | undefined> {
      const ids = await requireAskable(userId, idList)
      if (content_type !== 'audio' || regen) return undefined
      const block = ids[0] === undefined ? null : await requireBlock(userId, ids[0])
      if (!block || !isRecording(block)) throw new AppError('audio_unavailable')
      requireReadBlock(block)
      const pieces = await store.listPieces(db, block, { after: 0, size: MAX_DETAIL_PIECES })
      const text = pieces.map((piece) => piece.text).join('\n')
      if (!text) throw new AppError('empty_prompt')
      return text
    },

    /** Prepares a prompt with blocks of a user; null where there are none. */
    createPreparation: (userId: string, ids: string[], question: string, model: ModelEntry) =>
      ids.length
        ? createDocumentPreparation({
            db,
            files,
            pictures,
            user_id: userId,
            ids: [...new Set(ids)],
            question,
            model,
          })
        : null,

    /** Throws AppError not_found, as does every call with a block's id. */
    async get(userId: string, id: string): Promise<Block> {
      return present(await requireBlock(userId, id))
    },

    /** Returns blocks of a user in the order of their ids, without those of others. */
    getAll: async (userId: string, ids: string[]): Promise<Block[]> =>
      ids.length ? presentAll(userId, await store.listBlocksById(db, userId, ids)) : [],

    /** Returns names and states of blocks that the server itself names, whoever their owners are. */
    listStates: async (ids: string[]): Promise<Map<string, BlockState>> =>
      ids.length ? store.listStates(db, ids) : new Map(),

    /** Keeps blocks of a user's channel from being deleted until the transaction ends. Throws AppError not_found. */
    async lock(tx: Db, userId: string, channel: string, ids: string[]): Promise<void> {
      if (ids.length && (await store.lockBlocks(tx, userId, channel, ids)) < ids.length)
        throw new AppError('not_found')
    },

    /**
     * Gives `open` a block as it is translated: the file that was uploaded, or the text behind a link as Markdown. Throws
     * AppError not_found; for a link also block_reading, block_failed.
     */
    async withDocument<T>(
      userId: string,
      id: string,
      signal: AbortSignal,
      open: (source: DocumentSource, name: string) => Promise<T>,
    ): Promise<T> {
      const block = await requireBlock(userId, id)
      if (block.link !== null) {
        requireReadBlock(block)
        const pieces = await store.listPieces(db, block, { after: 0, size: Number.MAX_SAFE_INTEGER })
        const bytes = Buffer.from(pieces.map(({ text }) => text).join('\n\n'))
        return open({ bytes }, `${block.name}.md`)
      }
      const { path, remove } = await files.download(block, signal)
      try {
        return await open({ path }, block.name)
      } finally {
        await remove()
      }
    },

    async getByMd5(userId: string, channel: string, md5: string): Promise<Block> {
      const block = await store.findBlockByMd5(db, userId, channel, md5)
      if (!block) throw new AppError('not_found')
      return present(block)
    },

    async list(
      userId: string,
      { channel, page, size }: { channel?: string | undefined; page: number; size: number },
    ) {
      const [rows, total] = await Promise.all([
        store.listBlocks(db, userId, { channel, size, offset: (page - 1) * size }),
        store.countBlocks(db, userId, channel),
      ])
      const items = await presentAll(userId, rows)
      const query = channel === undefined ? {} : { channel }
      return toPageResponse(items, { total, page, size, url: '/api/blocks', query })
    },

    /** Returns a block with its pieces behind number `after`. Throws AppError block_reading, block_failed. */
    async getDetail(
      userId: string,
      id: string,
      { lang, after, size }: { lang?: string | undefined; after: number; size: number },
    ): Promise<BlockDetail> {
      const block = await requireBlock(userId, id)
      requireReadBlock(block)
      const items = await store.listPieces(db, block, { after, size: size + 1 })
      return {
        ...(await present(block)),
        lang: lang ?? null,
        items: items.slice(0, size),
        has_more: items.length > size,
      }
    },

    /** Returns a document's name and the beginning of its text: enough to tell its language. Throws AppError not_found. */
    async getBeginning(userId: string, id: string): Promise<string> {
      const block = await requireBlock(userId, id)
      const pieces = await store.listPieces(db, block, { after: 0, size: BEGINNING_PIECES })
      return [block.name, ...pieces.map(({ text }) => text)].join('\n')
    },

    /** Finds the summary of a document; see summary.ts, also for `writeSummary`. Throws AppError block_reading, block_failed. */
    async findSummary(owner: Owner, id: string, model: string | undefined): Promise<OfferedSummary> {
      const block = await requireBlock(owner.user_id, id)
      requireReadBlock(block)
      return findSummary({ db, ...models }, owner, block, model)
    },

    async writeSummary(owner: Owner, id: string, model: string | null | undefined): Promise<BlockSummary> {
      const block = await requireBlock(owner.user_id, id)
      requireReadBlock(block)
      return writeSummary({ db, ...models }, owner, block, model)
    },

    /** Stops a reading; what has been read stays. */
    async cancel(userId: string, id: string): Promise<Block> {
      const { task_id } = await requireBlock(userId, id)
      if (task_id) await tasks.cancel(userId, task_id)
      return present(await requireBlock(userId, id))
    },

    /**
     * Reads a block again: one that failed goes on, one that was read begins anew, or only the named pages are read. Throws
     * AppError block_reading, content_unsupported.
     */
    retry: async (owner: Owner, id: string, how: RereadInput): Promise<Block> =>
      read(owner, await requireBlock(owner.user_id, id), how),

    async delete(userId: string, id: string): Promise<void> {
      const block = await requireBlock(userId, id)
      if (block.task_id) await tasks.cancel(userId, block.task_id)
      const deleteObject = await db.transaction(async (tx) => {
        // The block goes with its file, whose row is locked first: a call that saves the same content waits there.
        const afterwards = await files.delete(tx, userId, { id: block.file_id, key: block.key })
        await knowledge.remove(tx, id)
        return afterwards
      })
      await deleteObject()
    },
  }
}

/** Tells whether a block's text is read. A translation extracts the texts of its file by itself: nobody asks about them. */
const needsReading = ({ channel, link }: Pick<StoredBlock, 'channel' | 'link'>): boolean =>
  channel !== FANYI || link !== null
