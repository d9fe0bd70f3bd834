import type { voiceCalls } from '#contract/voice.ts'
import type { Handlers } from '../core/http.ts'
import { openLimit } from '../core/limits.ts'
import type { Voice } from './voice.ts'

/** Sentences of one person; more than anybody can listen to. */
const SENTENCES = { points: 120, seconds: 60 }

export function voiceRoutes(voice: Voice): Handlers<typeof voiceCalls> {
  const limit = openLimit(SENTENCES)
  return {
    'POST /api/block/tts': async ({ body }, { visitor }) => {
      await limit(visitor.user_id)
      const { media_type, bytes } = await voice.speak(visitor.user_id, body.text)
      return { data: `data:${media_type};base64,${bytes.toString('base64')}` }
    },
  }
}
