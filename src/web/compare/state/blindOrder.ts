/** A number that looks random and is the same for the same words (FNV-1a). */
function hash(words: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < words.length; i++) value = Math.imul(value ^ words.charCodeAt(i), 0x01000193)
  // Without this, words that differ in their last letter alone would stand side by side.
  return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0
}

/**
 * The order of the columns while their names are hidden: with the same seed the same in every tab and after a reload, and none that
 * the names could be told from.
 */
export function shuffleBlind<Item extends { model: string }>(
  items: readonly Item[],
  seed: string,
): readonly Item[] {
  const rank = ({ model }: Item) => hash(`${seed} ${model}`)
  return items.toSorted((a, b) => rank(a) - rank(b))
}
