import type { Block } from '#contract/blocks.ts'
import { blocksText } from '#web/text/blocks.ts'

/** Describes in few words how far the reading of a document is. */
export function describeReading({ status, error, progress, chars }: Block): string {
  if (status === 3) return error ?? blocksText.readFailed
  if (status === 2) return blocksText.ready(chars)
  if (progress?.delay) return progress.delay
  return status === 0
    ? blocksText.waiting
    : blocksText.readingShort(progress?.done ?? 0, progress?.total ?? null)
}
