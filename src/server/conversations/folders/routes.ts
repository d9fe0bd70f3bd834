import type { folderCalls } from '#contract/conversations/folders.ts'
import type { Handlers } from '#server/core/http.ts'
import type { Conversations } from '../conversations.ts'

export const folderRoutes = ({ folders }: Conversations): Handlers<typeof folderCalls> => ({
  'GET /api/chat/folders': async ({ query }, { visitor }) => ({
    folders: await folders.list(visitor.user_id, query.chatbot),
  }),

  'POST /api/chat/folders': async ({ body }, { visitor }) => ({
    folder: await folders.create(visitor.user_id, body.name),
  }),

  'PATCH /api/chat/folders/{id}': async ({ params, body }, { visitor }) => ({
    folder: await folders.rename(visitor.user_id, params.id, body.name),
  }),

  'DELETE /api/chat/folders/{id}': async ({ params }, { visitor }) => {
    await folders.remove(visitor.user_id, params.id)
    return undefined
  },

  'POST /api/chat/sessions/move': async ({ body }, { visitor }) => ({
    changed: await folders.move(visitor.user_id, body.sess_ids, body.folder_id),
  }),
})
