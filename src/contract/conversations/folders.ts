import { z } from 'zod'
import type { Calls } from '#contract/call.ts'
import { DATI, filterChatbot } from '#contract/chatbot.ts'
import { MAX_SESSIONS_PER_CHANGE } from './sessions.ts'

export const MAX_FOLDERS_PER_USER = 50
export const MAX_FOLDER_NAME_CHARS = 40

/** A person's place for conversations that belong together. */
const folder = z
  .object({
    id: z.uuid().describe('文件夹的编号'),
    name: z.string().describe('文件夹的名称'),
  })
  .describe('文件夹')
export type Folder = z.output<typeof folder>

/** A folder in the list. */
const listedFolder = folder.extend({
  count: z.int().describe('其中的会话数，不含已归档的'),
})
export type ListedFolder = z.output<typeof listedFolder>

const fields = z.object({
  name: z.string().trim().min(1).max(MAX_FOLDER_NAME_CHARS).describe('文件夹的名称'),
})
const idParams = z.object({ id: z.uuid().describe('文件夹的编号') })

export const folderCalls = {
  'GET /api/chat/folders': {
    summary: '自己的文件夹，按名称排列，以及各有多少个会话',
    auth: 'user',
    query: z.object({ chatbot: filterChatbot.default(DATI) }),
    response: z.object({ folders: z.array(listedFolder).describe('文件夹，按名称排列') }),
  },
  'POST /api/chat/folders': {
    summary: `新建文件夹，最多 ${MAX_FOLDERS_PER_USER} 个，不能同名`,
    auth: 'user',
    body: fields,
    response: z.object({ folder }),
    errors: ['folder_count', 'folder_exists'],
  },
  'PATCH /api/chat/folders/{id}': {
    summary: '重命名文件夹',
    auth: 'user',
    params: idParams,
    body: fields,
    response: z.object({ folder }),
    errors: ['not_found', 'folder_exists'],
  },
  'DELETE /api/chat/folders/{id}': {
    summary: '删除文件夹，其中的会话保留，回到会话列表',
    auth: 'user',
    params: idParams,
    response: 'none',
    errors: ['not_found'],
  },
  'POST /api/chat/sessions/move': {
    summary: '把多个会话移到一个文件夹，或移出所在的文件夹；已不存在的会跳过',
    auth: 'user',
    body: z.object({
      sess_ids: z.array(z.uuid()).min(1).max(MAX_SESSIONS_PER_CHANGE).describe('这些会话的编号'),
      folder_id: z.uuid().nullable().describe('文件夹的编号；空为移出'),
    }),
    response: z.object({ changed: z.int().describe('移动的会话数') }),
    errors: ['not_found'],
  },
} as const satisfies Calls
