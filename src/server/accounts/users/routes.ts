import type { userCalls } from '#contract/users.ts'
import type { Handlers } from '#server/core/http.ts'
import type { SaveAvatar, Users } from './users.ts'

export const userRoutes = (users: Users, saveAvatar: SaveAvatar): Handlers<typeof userCalls> => ({
  'GET /api/user/info': async (_, { visitor }) => {
    return users.getInfo(visitor.user_id)
  },
  'PUT /api/user/info': ({ body }, { visitor }) => users.updateInfo(visitor.user_id, body, saveAvatar),
  'PUT /api/user/model': async ({ body }, { visitor }) => {
    await users.setModel(visitor.user_id, body.model)
    return { model: body.model }
  },
  'GET /api/user/chat_setting': (_, { visitor }) => users.getChatSetting(visitor.user_id),
  'PUT /api/user/chat_setting': ({ body }, { visitor }) => users.updateChatSetting(visitor.user_id, body),
  'PUT /api/user/provider_sort': async ({ body }, { visitor }) => {
    await users.setProviderSort(visitor.user_id, body.sort)
    return { provider_sort: body.sort }
  },
  'PUT /api/user/voice_reply': async ({ body }, { visitor }) => {
    return { voice_reply: await users.setVoiceReply(visitor.user_id, body.voice_reply) }
  },
})
