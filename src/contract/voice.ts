import { z } from 'zod'
import type { Calls } from './call.ts'

/** Longest text that one call reads aloud, characters. */
export const MAX_SPOKEN_CHARS = 1_000

export const voiceCalls = {
  'POST /api/block/tts': {
    summary: '朗读一段文字',
    auth: 'user',
    body: z.object({
      text: z
        .string()
        .max(MAX_SPOKEN_CHARS)
        .refine((text) => /[\p{L}\p{N}]/u.test(text), '没有可以朗读的文字')
        .describe('要朗读的文字，通常是一句话；按字符计费'),
    }),
    response: z.object({
      data: z.string().describe('声音，形如 data:audio/mpeg;base64,…'),
    }),
    errors: ['model_unavailable', 'insufficient_balance', 'rate_limited'],
  },
} as const satisfies Calls
