/** Some sentences of a text that some of its translation correspond to: parts of both texts, from `start` to `end`. */
export type SentencePair = { source: TextSpan; result: TextSpan }
export type TextSpan = { start: number; end: number }

/** Ends of sentences; the full stop of Latin scripts ends one only before a blank. */
const SENTENCE =
  /[^。！？!?；;.…\n]*(?:[。！？!?；;…]+[”’」』）)】》"']*|\.(?=["'”’)]*(?:\s|$))["'”’)]*|\.|$)/gy
const ABBREVIATION = /(?:^|[\s(（])(?:\p{L}|Dr|Mr|Mrs|Ms|Prof|vs|etc|No|Fig|St|e\.g|i\.e)\.$/iu

/** The lines of a text that say something. */
function splitLines(text: string): TextSpan[] {
  const lines: TextSpan[] = []
  for (const line of text.matchAll(/[^\n]+/g)) {
    const trimmed = line[0].trim()
    if (!trimmed) continue
    const start = line.index + line[0].indexOf(trimmed)
    lines.push({ start, end: start + trimmed.length })
  }
  return lines
}

function splitSentences(text: string, { start, end }: TextSpan): TextSpan[] {
  const line = text.slice(start, end)
  const spans: TextSpan[] = []
  let from = 0
  for (const part of line.matchAll(SENTENCE)) {
    const to = part.index + part[0].length
    const sentence = line.slice(from, to)
    const goesOn =
      to < line.length &&
      sentence.endsWith('.') &&
      (!/^\s/.test(line.slice(to)) || ABBREVIATION.test(sentence))
    if (goesOn || !sentence.trim()) continue
    const blank = sentence.length - sentence.trimStart().length
    spans.push({ start: start + from + blank, end: start + from + sentence.trimEnd().length })
    from = to
  }
  return spans
}

/** How unlike two lengths are that should grow together: 0 where they are as their texts as a whole. */
const compareLengths = (source: number, result: number, ratio: number): number =>
  Math.abs(Math.log((result + 1) / (source * ratio + 1)))

/** What it costs that sentences are joined or stand alone, measured against unlike lengths. */
const JOIN_COST = 0.7
const ALONE_COST = 3
const STEPS = [
  { source: 1, result: 1, cost: 0 },
  { source: 2, result: 1, cost: JOIN_COST },
  { source: 1, result: 2, cost: JOIN_COST },
  { source: 2, result: 2, cost: JOIN_COST * 2 },
  { source: 1, result: 0, cost: ALONE_COST },
  { source: 0, result: 1, cost: ALONE_COST },
] as const

/** So far from where they would stand in proportion sentences are looked for. */
const BAND = 50
/** More than that is left unpaired: its table would be too large for a page. */
const MAX_CELLS = 4_000_000

/** Pairs spans in their order so that lengths grow alike (Gale and Church 1993). */
function alignSpans(source: readonly TextSpan[], result: readonly TextSpan[]): SentencePair[] {
  if (source.length === result.length)
    return source.map((span, index) => ({ source: span, result: result[index]! }))
  const width = result.length + 1
  const cells = (source.length + 1) * width
  if (!source.length || !result.length || cells > MAX_CELLS) return []
  const length = (spans: readonly TextSpan[]) => spans.reduce((sum, { start, end }) => sum + end - start, 0)
  const ratio = length(result) / length(source)
  const costs = new Float32Array(cells).fill(Infinity)
  const steps = new Uint8Array(cells)
  costs[0] = 0
  for (let i = 0; i <= source.length; i++) {
    const middle = Math.round((i / source.length) * result.length)
    for (let j = Math.max(0, middle - BAND); j <= Math.min(result.length, middle + BAND); j++)
      for (const [index, step] of STEPS.entries()) {
        const [a, b] = [i - step.source, j - step.result]
        if (a < 0 || b < 0) continue
        const unlike = compareLengths(length(source.slice(a, i)), length(result.slice(b, j)), ratio)
        const cost = costs[a * width + b]! + step.cost + (step.source && step.result ? unlike : 0)
        if (cost >= costs[i * width + j]!) continue
        costs[i * width + j] = cost
        steps[i * width + j] = index
      }
  }
  const pairs: SentencePair[] = []
  let [i, j] = [source.length, result.length]
  while (i > 0 || j > 0) {
    const step = STEPS[steps[i * width + j]!]!
    const [from, to] = [i - step.source, j - step.result]
    if (step.source && step.result)
      pairs.unshift({
        source: { start: source[from]!.start, end: source[i - 1]!.end },
        result: { start: result[to]!.start, end: result[j - 1]!.end },
      })
    i = from
    j = to
  }
  return pairs
}

/**
 * Which sentences of a text belong to which of its translation, in their order. Where both have as many lines, as most
 * translations do, each line is for itself.
 */
export function alignSentences(source: string, result: string): SentencePair[] {
  const [sourceLines, resultLines] = [splitLines(source), splitLines(result)]
  if (sourceLines.length === resultLines.length)
    return sourceLines.flatMap((line, index) =>
      alignSpans(splitSentences(source, line), splitSentences(result, resultLines[index]!)),
    )
  const all = (text: string, lines: readonly TextSpan[]) =>
    lines.flatMap((line) => splitSentences(text, line))
  return alignSpans(all(source, sourceLines), all(result, resultLines))
}

/** A text in parts: each span with what stands between it and the one before, and what stands behind the last. */
export function cutSpans(text: string, spans: readonly TextSpan[]) {
  const parts = spans.map(({ start, end }, index) => ({
    before: text.slice(spans[index - 1]?.end ?? 0, start),
    part: text.slice(start, end),
  }))
  return { parts, rest: text.slice(spans.at(-1)?.end ?? 0) }
}
