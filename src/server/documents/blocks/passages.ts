import { scoreChunks } from '#server/documents/knowledge/knowledge.ts'
import type { Chunk } from '#server/documents/knowledge/knowledge.ts'

/**
 * Selects the chunks to answer a question from, at most `maxChars` characters, in the order of the document: all where they fit;
 * else the most relevant ones, and the beginning, which says what the document is. Where no word of the question occurs, selects
 * chunks from all over the document.
 */
export async function selectPassages(
  question: string,
  chunks: readonly Chunk[],
  maxChars: number,
): Promise<Chunk[]> {
  const allChars = chunks.reduce((sum, chunk) => sum + getChars(chunk), 0)
  if (allChars <= maxChars) return [...chunks]
  const scores = await scoreChunks(question, chunks)
  const ranked = chunks.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b)
  const hits = ranked.filter((at) => scores[at]! > 0)
  const step = Math.max(1, Math.ceil(allChars / maxChars))
  const order = hits.length ? [0, ...hits] : chunks.map((_, at) => at).filter((at) => at % step === 0)
  const chosenIndexes = new Set<number>()
  let chars = 0
  for (const at of order) {
    if (chosenIndexes.has(at) || chars + getChars(chunks[at]!) > maxChars) continue
    chosenIndexes.add(at)
    chars += getChars(chunks[at]!)
  }
  return chunks.filter((_, at) => chosenIndexes.has(at))
}

/** Returns the characters of a chunk in a prompt, with its number and title. */
const getChars = ({ text }: Chunk): number => text.length + 60
