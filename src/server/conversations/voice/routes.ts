import type { voiceCalls } from '#contract/voice.ts'
import type { Handlers } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import type { Voice } from './voice.ts'

/** Sentences of one person in a minute, more than anybody can listen to. */
const SENTENCE_LIMIT = { points: 120, seconds: 60 }

export function voiceRoutes(voice: Voice): Handlers<typeof voiceCalls> {
  const limitSentences = createRateLimit(SENTENCE_LIMIT)
  return {
    'POST /api/block/tts': async ({ body }, { visitor }) => {
      await limitSentences(visitor.user_id)
      const { media_type, bytes } = await voice.synthesize(visitor, body.text)
      return { data: `data:${media_type};base64,${bytes.toString('base64')}` }
    },
  }
}
