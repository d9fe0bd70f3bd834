/** Corresponding sentences of a text and its translation, as ranges of both. */
export type SentencePair = { source: TextSpan; result: TextSpan }
export type TextSpan = { start: number; end: number }

/** Ends of sentences. A Latin full stop counts only before a blank. */
const SENTENCE =
  /[^。！？!?；;.…\n]*(?:[。！？!?；;…]+[”’」』）)】》"']*|\.(?=["'”’)]*(?:\s|$))["'”’)]*|\.|$)/gy
const ABBREVIATION = /(?:^|[\s(（])(?:\p{L}|Dr|Mr|Mrs|Ms|Prof|vs|etc|No|Fig|St|e\.g|i\.e)\.$/iu

/** Returns the lines of a text that are not blank. */
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

/** Returns how far two lengths deviate from the ratio of the whole texts; 0 for none. */
const compareLengths = (source: number, result: number, ratio: number): number =>
  Math.abs(Math.log((result + 1) / (source * ratio + 1)))

/** Penalties for joined and unpaired sentences, on the same scale as deviating lengths. */
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

/** Pairs are searched this many sentences around the proportional position. */
const BAND = 50
/** A larger table would burden the page, so the texts stay unpaired. */
const MAX_CELLS = 4_000_000

/** Pairs spans in order so that their lengths match (Gale and Church 1993). */
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
 * Pairs the sentences of a text with those of its translation, in order. If both have the same number of lines, as in most
 * translations, each line is aligned separately.
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

/** Cuts a text at spans: each part with the text before it, and the text behind the last one. */
export function cutSpans(text: string, spans: readonly TextSpan[]) {
  const parts = spans.map(({ start, end }, index) => ({
    before: text.slice(spans[index - 1]?.end ?? 0, start),
    part: text.slice(start, end),
  }))
  return { parts, rest: text.slice(spans.at(-1)?.end ?? 0) }
}
