import { useQuery } from '@tanstack/react-query'
import type { ChatSetting } from '#contract/users.ts'
import { ApiError, request } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import { forgetUser } from '../core/user.ts'

const key = ['chat_setting'] as const

/** A 401 on the chat setting means signed out (specification section 4, Auth). */
async function orForget<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) forgetUser()
    throw error
  }
}

export const useChatSetting = (signedIn: boolean) =>
  useQuery({
    queryKey: key,
    queryFn: ({ signal }) => orForget(request('GET /api/user/chat_setting', {}, { signal })),
    enabled: signedIn,
  })

/** Throws ApiError. */
export async function saveChatSetting(setting: ChatSetting): Promise<ChatSetting> {
  const saved = await orForget(request('PUT /api/user/chat_setting', { body: setting }))
  queryClient.setQueryData(key, saved)
  return saved
}
