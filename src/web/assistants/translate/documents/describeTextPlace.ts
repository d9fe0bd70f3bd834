import type { Place } from '#contract/readings.ts'
import { describePlace } from '#web/documents/blocks/blocks.ts'
import { documentsText as text } from '#web/text/translate/documents.ts'

/** Describes where a text stands in people's words; empty if unknown. */
export function describeTextPlace(place: Place): string {
  const { heading, line } = place
  return describePlace(place) || heading?.at(-1) || (line === undefined ? '' : text.line(line))
}
