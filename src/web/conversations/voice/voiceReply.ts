import { ApiError, request } from '#web/core/api.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { userQueryKey } from '#web/core/user.ts'
import { voiceText } from '#web/text/voice.ts'
import { toast } from '#web/ui/toast.ts'

/** Saves the setting to read new answers aloud automatically. */
export async function updateVoiceReply(voiceReply: boolean): Promise<void> {
  try {
    await request(
      'PUT /api/user/voice_reply',
      { body: { voice_reply: voiceReply } },
      { failed: voiceText.replyFailed },
    )
    await queryClient.invalidateQueries({ queryKey: userQueryKey })
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : voiceText.replyFailed)
  }
}
