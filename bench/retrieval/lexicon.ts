const ROUNDS = 6
/** Less likely translations are noise. */
const MIN_LIKELIHOOD = 0.08
const MAX_TRANSLATIONS = 4

/** Maps a word to the likelihood of each of its translations. */
export type Translations = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Learns which words translate which, from texts with the same meaning: IBM Model 1 (Brown and others 1993). */
export function learnTranslations(pairs: [words: string[], translation: string[]][]): Translations {
  let table = new Map<string, Map<string, number>>()
  for (let round = 0; round < ROUNDS; round++) {
    const counts = new Map<string, Map<string, number>>()
    for (const [source, target] of pairs) {
      // The empty word takes what no other explains.
      const words = ['', ...source]
      for (const translation of target) {
        const shares = words.map((word) => (round ? (table.get(word)?.get(translation) ?? 0) : 1))
        const total = shares.reduce((sum, share) => sum + share, 0) || 1
        for (const [at, word] of words.entries()) {
          const counted = counts.get(word) ?? new Map<string, number>()
          counted.set(translation, (counted.get(translation) ?? 0) + shares[at]! / total)
          counts.set(word, counted)
        }
      }
    }
    table = new Map([...counts].map(([word, counted]) => [word, toShares(counted)]))
  }
  table.delete('')
  const likely = [...table].map(
    ([word, shares]) =>
      [
        word,
        new Map(
          [...shares]
            .filter(([, share]) => share >= MIN_LIKELIHOOD)
            .sort(([, a], [, b]) => b - a)
            .slice(0, MAX_TRANSLATIONS),
        ),
      ] as const,
  )
  return new Map(likely.filter(([, shares]) => shares.size))
}

function toShares(counted: ReadonlyMap<string, number>): Map<string, number> {
  const total = [...counted.values()].reduce((sum, count) => sum + count, 0)
  return new Map([...counted].map(([word, count]) => [word, count / total]))
}
