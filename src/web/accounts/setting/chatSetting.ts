import type { ChatSetting } from '#contract/users.ts'
import { request } from '#web/core/api.ts'
import { queryClient, useQuery } from '#web/core/queryClient.ts'
import { settingText } from '#web/text/setting.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'

const chatSettingQueryKey = ['chat_setting'] as const

export const useChatSetting = () =>
  useQuery({
    queryKey: chatSettingQueryKey,
    queryFn: ({ signal }) => clearUserOn401(request('GET /api/user/chat_setting', {}, { signal })),
  })

/** Throws ApiError. */
export async function saveChatSetting(setting: ChatSetting): Promise<ChatSetting> {
  const savedSetting = await clearUserOn401(
    request('PUT /api/user/chat_setting', { body: setting }, { failed: settingText.saveFailed }),
  )
  queryClient.setQueryData(chatSettingQueryKey, savedSetting)
  return savedSetting
}
