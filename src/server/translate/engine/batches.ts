import type { Segment } from '#contract/translate/documents.ts'

export type Text = Pick<Segment, 'n' | 'text'>

/** What one call of a model is given at most: an answer of this length is within what every model can write. */
const MAX_TOKENS = 1_200
const MAX_TEXTS = 40

/**
 * Texts that are translated by one call each, in their order: neighbours help a model to understand each other. One that is longer
 * than a call should be stands alone.
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
