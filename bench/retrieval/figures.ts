/** Place of the wanted passage in the results, from 1; null where it was not found. */
export type Rank = number | null
export type Row = Record<string, string | number>

export const percent = (share: number): number => Math.round(share * 10_000) / 100

export function toFigures(ranks: readonly Rank[]): Row {
  const share = (most: number): number =>
    percent(ranks.filter((rank) => rank !== null && rank <= most).length / ranks.length)
  const mrr = ranks.reduce<number>((sum, rank) => sum + (rank !== null && rank <= 10 ? 1 / rank : 0), 0)
  return {
    questions: ranks.length,
    'Hit@1': share(1),
    'Hit@5': share(5),
    'MRR@10': Math.round((mrr / ranks.length) * 10_000) / 10_000,
  }
}

export const quantile = (values: readonly number[], q: number): number =>
  Math.round(
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))]! * 10,
  ) / 10

/** Returns the letters and digits of a text, since one version of a document may have marks that another has not. */
export const toLetters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '')

/** Tells whether one text contains the other: chunks may be a part of a paragraph, or include its neighbour. */
export function isPartOf(text: string, paragraph: string): boolean {
  const [found, gold] = [toLetters(text), toLetters(paragraph)]
  return gold.includes(found) || found.includes(gold)
}
