import { MAX_FOLDERS_PER_USER } from '#contract/conversations/folders.ts'
import type { Folder, ListedFolder } from '#contract/conversations/folders.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import * as store from './store.ts'

const collator = new Intl.Collator('zh-CN', { numeric: true })

const toFolder = ({ id, name }: Folder): Folder => ({ id, name })

/** Folders for conversations that belong together. */
export function createFolders(db: Db) {
  /** Throws AppError folder_exists if another folder of the user has the name. */
  async function requireFreeName(tx: Db, userId: string, name: string, id?: string): Promise<void> {
    const folder = await store.findFolderByName(tx, userId, name)
    if (folder && folder.id !== id) throw new AppError('folder_exists')
  }

  return {
    /** Lists all folders of a user by name, in Chinese order. */
    async list(userId: string, chatbot: string): Promise<ListedFolder[]> {
      const rows = await store.listFolders(db, userId, chatbot)
      return rows
        .map((row) => ({ ...toFolder(row), count: row.count }))
        .sort((a, b) => collator.compare(a.name, b.name))
    },

    /** Throws AppError folder_count, folder_exists. */
    create: (userId: string, name: string): Promise<Folder> =>
      db.transaction(async (tx) => {
        await store.lockFolders(tx, userId)
        await requireFreeName(tx, userId, name)
        if ((await store.countFolders(tx, userId)) >= MAX_FOLDERS_PER_USER) throw new AppError('folder_count')
        return toFolder(await store.insertFolder(tx, userId, name))
      }),

    /** Throws AppError not_found, folder_exists. */
    rename: (userId: string, id: string, name: string): Promise<Folder> =>
      db.transaction(async (tx) => {
        await store.lockFolders(tx, userId)
        await requireFreeName(tx, userId, name, id)
        const row = await store.renameFolder(tx, userId, id, name)
        if (!row) throw new AppError('not_found')
        return toFolder(row)
      }),

    /** The folder's sessions stay. Throws AppError not_found. */
    async remove(userId: string, id: string): Promise<void> {
      if (!(await store.deleteFolder(db, userId, id))) throw new AppError('not_found')
    },

    /**
     * Moves sessions into a folder, or out of any with null; missing sessions are skipped. Throws AppError not_found for a folder
     * that the user does not have, and if none of the sessions exists.
     */
    move: (userId: string, sessIds: string[], folderId: string | null): Promise<number> =>
      db.transaction(async (tx) => {
        if (folderId && !(await store.lockFolder(tx, userId, folderId))) throw new AppError('not_found')
        const changed = await store.moveIntoFolder(tx, userId, sessIds, folderId)
        if (!changed) throw new AppError('not_found')
        return changed
      }),
  }
}
