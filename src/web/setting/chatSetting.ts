import { queryClient, useQuery } from '#web/core/queryClient.ts'
import type { ChatSetting } from '#contract/users.ts'
import { ApiError, request } from '../core/api.ts'
import { clearUser } from '../core/user.ts'

const chatSettingQueryKey = ['chat_setting'] as const

/** A 401 on the chat setting means signed out (specification section 4, Auth). */
async function clearUserOn401<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) clearUser()
    throw error
  }
}

export const useChatSetting = (signedIn: boolean) =>
  useQuery({
    queryKey: chatSettingQueryKey,
    queryFn: ({ signal }) => clearUserOn401(request('GET /api/user/chat_setting', {}, { signal })),
    enabled: signedIn,
  })

/** Throws ApiError. */
export async function saveChatSetting(setting: ChatSetting): Promise<ChatSetting> {
  const saved = await clearUserOn401(request('PUT /api/user/chat_setting', { body: setting }))
  queryClient.setQueryData(chatSettingQueryKey, saved)
  return saved
}
