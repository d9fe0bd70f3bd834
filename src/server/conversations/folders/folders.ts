import { MAX_FOLDERS_PER_USER } from '#contract/conversations/folders.ts'
import type { Folder, ListedFolder } from '#contract/conversations/folders.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import * as store from './store.ts'

const collator = new Intl.Collator('zh-CN', { numeric: true })

const toFolder = ({ id, name }: Folder): Folder => ({ id, name })

/** Where people put conversations that belong together. */
export function createFolders(db: Db) {
  /** Throws AppError folder_exists where another folder of the user has the name. */
  async function requireFreeName(tx: Db, user_id: string, name: string, id?: string): Promise<void> {
    const named = await store.findFolderByName(tx, user_id, name)
    if (named && named.id !== id) throw new AppError('folder_exists')
  }

  return {
    /** All folders of a user by name, as a reader of Chinese looks for them. */
    async list(user_id: string, chatbot: string): Promise<ListedFolder[]> {
      const rows = await store.listFolders(db, user_id, chatbot)
      return rows
        .map((row) => ({ ...toFolder(row), count: row.count }))
        .sort((a, b) => collator.compare(a.name, b.name))
    },

    /** Throws AppError folder_count, folder_exists. */
    create: (user_id: string, name: string): Promise<Folder> =>
      db.transaction(async (tx) => {
        await store.lockFolders(tx, user_id)
        await requireFreeName(tx, user_id, name)
        if ((await store.countFolders(tx, user_id)) >= MAX_FOLDERS_PER_USER)
          throw new AppError('folder_count')
        return toFolder(await store.insertFolder(tx, user_id, name))
      }),

    /** Throws AppError not_found, folder_exists. */
    rename: (user_id: string, id: string, name: string): Promise<Folder> =>
      db.transaction(async (tx) => {
        await store.lockFolders(tx, user_id)
        await requireFreeName(tx, user_id, name, id)
        const row = await store.renameFolder(tx, user_id, id, name)
        if (!row) throw new AppError('not_found')
        return toFolder(row)
      }),

    /** Its sessions stay. Throws AppError not_found. */
    async remove(user_id: string, id: string): Promise<void> {
      if (!(await store.deleteFolder(db, user_id, id))) throw new AppError('not_found')
    },

    /**
     * Puts sessions into a folder, or with null into none; those that are gone are left out. Throws AppError not_found for a
     * folder that the user does not have, and where none of the sessions is there.
     */
    move: (user_id: string, sess_ids: string[], folder_id: string | null): Promise<number> =>
      db.transaction(async (tx) => {
        if (folder_id && !(await store.lockFolder(tx, user_id, folder_id))) throw new AppError('not_found')
        const changed = await store.moveIntoFolder(tx, user_id, sess_ids, folder_id)
        if (!changed) throw new AppError('not_found')
        return changed
      }),
  }
}
