import { ApiError, request } from '../core/api.ts'
import { queryClient } from '../core/query.ts'
import { userKey } from '../core/user.ts'
import { voiceText } from '../text/voice.ts'
import { toast } from '../ui/toast.ts'

/** Keeps whether new answers are read aloud by themselves. */
export async function chooseVoiceReply(voice_reply: boolean): Promise<void> {
  try {
    await request('PUT /api/user/voice_reply', { body: { voice_reply } })
    await queryClient.invalidateQueries({ queryKey: userKey })
  } catch (error) {
    toast.error(error instanceof ApiError && error.status > 0 ? error.message : voiceText.replyFailed)
  }
}
