import type { Folder } from '#contract/conversations/folders.ts'
import { ApiError, isNotFound, request } from '#web/core/api.ts'
import { foldersText } from '#web/text/history/folders.ts'
import { toast } from '#web/ui/toast.ts'
import { MAX_SESSIONS_PER_CHANGE } from './limits.ts'
import { broadcastSessionChange, invalidateLists } from './tabSync.ts'

/** Refreshes the lists of this tab and of every other one. */
function notifyFolderChange(): void {
  broadcastSessionChange()
  invalidateLists()
}

/** Makes a change to folders and reports a failure to the person. Lists are refreshed if the folder or session is gone. */
async function tryChange(change: () => Promise<unknown>, failedText: string): Promise<boolean> {
  try {
    await change()
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : failedText)
    if (isNotFound(error)) notifyFolderChange()
    return false
  }
  notifyFolderChange()
  return true
}

/** Throws ApiError, whose message belongs beside the name. */
export async function createFolder(name: string): Promise<Folder> {
  const options = { failed: foldersText.createFailed }
  const { folder } = await request('POST /api/chat/folders', { body: { name } }, options)
  notifyFolderChange()
  return folder
}

export const renameFolder = (id: string, name: string): Promise<boolean> =>
  tryChange(
    () =>
      request(
        'PATCH /api/chat/folders/{id}',
        { params: { id }, body: { name } },
        { failed: foldersText.changeFailed },
      ),
    foldersText.changeFailed,
  )

/** The folder's conversations stay, and go back to the general list. */
export const deleteFolder = (id: string): Promise<boolean> =>
  tryChange(
    () => request('DELETE /api/chat/folders/{id}', { params: { id } }, { failed: foldersText.changeFailed }),
    foldersText.changeFailed,
  )

const putSessions = (ids: readonly string[], folderId: string | null): Promise<boolean> =>
  tryChange(async () => {
    for (let from = 0; from < ids.length; from += MAX_SESSIONS_PER_CHANGE) {
      const body = { sess_ids: ids.slice(from, from + MAX_SESSIONS_PER_CHANGE), folder_id: folderId }
      await request('POST /api/chat/sessions/move', { body }, { failed: foldersText.moveFailed })
    }
  }, foldersText.moveFailed)

/** Conversations of one folder, or of none. */
export type SessionsInFolder = { ids: readonly string[]; folder_id: string | null }

/** Moves conversations into a folder, or out of theirs, and offers to undo it. */
export async function moveSessions(
  { ids, folder_id }: SessionsInFolder,
  to: Folder | null,
): Promise<boolean> {
  if (!(await putSessions(ids, to?.id ?? null))) return false
  toast.undoable(to ? foldersText.moved(to.name) : foldersText.movedOut, {
    label: foldersText.undo,
    run: () => void putSessions(ids, folder_id),
  })
  return true
}
