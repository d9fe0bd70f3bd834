import { diffArrays } from 'diff'

/** A part of a text, in UTF-16 code units, without `end`. */
export type TextRange = { start: number; end: number }
export type AnswerDiff = {
  /** The parts that only the first text has, in its own offsets. */
  first: TextRange[]
  second: TextRange[]
  /** Share of both texts that they have in common, 0–1. */
  same: number
  /** The texts were compared by lines, because comparing words would have taken too long. */
  isCoarse: boolean
}

/** Longest time that a person waits without wondering. */
const MAX_MS = 1_500

const segmenter = new Intl.Segmenter('zh-CN', { granularity: 'word' })
const splitWords = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)
const splitLines = (text: string): string[] => text.split(/(?<=[\n。！？；])/)

/** The differences between two texts by words, segmented for Chinese; whitespace alone does not count. */
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
  // The diff is undefined when it takes too long.
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
