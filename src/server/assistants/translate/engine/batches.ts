import type { Segment } from '#contract/translate/documents.ts'

export type Text = Pick<Segment, 'n' | 'text'>

/** Most tokens and texts of one model call: every model can write an answer of this length. */
const MAX_TOKENS = 1_200
const MAX_TEXTS = 40

/**
 * Splits texts into one batch for each call, in their order: neighbours help a model to understand each other. A text that is
 * longer than a batch stands alone.
 */
export function splitIntoBatches(texts: readonly Text[], countTokens: (text: string) => number): Text[][] {
  const batches: Text[][] = []
  let room = 0
  for (const text of texts) {
    const tokens = countTokens(text.text)
    const batch = batches.at(-1)
    if (batch && tokens <= room && batch.length < MAX_TEXTS) {
      batch.push(text)
      room -= tokens
    } else {
      batches.push([text])
      room = MAX_TOKENS - tokens
    }
  }
  return batches
}
