/** A pseudo-random number that is the same for the same text (FNV-1a). */
function hash(words: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < words.length; i++) value = Math.imul(value ^ words.charCodeAt(i), 0x01000193)
  // Mixes the bits: otherwise texts that differ only in their last letter would come out next to each other.
  return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0
}

/**
 * The order of the columns while their names are hidden: the same for the same seed in every tab and after a reload, and without
 * a hint of the names.
 */
export function shuffleBlind<Item extends { model: string }>(
  items: readonly Item[],
  seed: string,
): readonly Item[] {
  const rank = ({ model }: Item) => hash(`${seed} ${model}`)
  return items.toSorted((a, b) => rank(a) - rank(b))
}
