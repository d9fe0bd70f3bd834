import { diffArrays } from 'diff'

/** A part of a text: from this character to that one. */
export type TextRange = { start: number; end: number }
export type AnswerDiff = {
  /** What only one of them has, in its own text. */
  first: TextRange[]
  second: TextRange[]
  /** Share of the two texts that both have: 0–1. */
  same: number
  /** Told apart line by line: word by word would have taken too long. */
  isCoarse: boolean
}

/** As long as a person waits without wondering. */
const MAX_MS = 1_500

const segmenter = new Intl.Segmenter('zh-CN', { granularity: 'word' })
const splitWords = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)
const splitLines = (text: string): string[] => text.split(/(?<=[\n。！？；])/)

/** What differs between two texts, word by word as Chinese has them; blanks alone make no difference. */
export function diffAnswers(first: string, second: string): AnswerDiff {
  return diffParts(first, second, splitWords, MAX_MS) ?? diffParts(first, second, splitLines) ?? NOTHING
}

const NOTHING: AnswerDiff = { first: [], second: [], same: 1, isCoarse: false }

function diffParts(
  first: string,
  second: string,
  split: (text: string) => string[],
  timeout?: number,
): AnswerDiff | undefined {
  const [a, b] = [split(first), split(second)]
  // Undefined where it took too long.
  const changes = timeout === undefined ? diffArrays(a, b) : diffArrays(a, b, { timeout })
  if (!changes) return undefined
  const ranges = { first: [] as TextRange[], second: [] as TextRange[] }
  const at = { first: 0, second: 0 }
  let same = 0
  for (const { value, added, removed } of changes) {
    const text = value.join('')
    if (!added && !removed) same += 2 * text.length
    for (const side of [...(added ? [] : ['first' as const]), ...(removed ? [] : ['second' as const])]) {
      const start = at[side]
      at[side] += text.length
      if ((added || removed) && text.trim()) ranges[side].push({ start, end: at[side] })
    }
  }
  const length = first.length + second.length
  return { ...ranges, same: length ? same / length : 1, isCoarse: timeout === undefined }
}
