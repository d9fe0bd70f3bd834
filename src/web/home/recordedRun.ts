import recording from './recordedRun.json'

/** A recorded run: each piece of the answer with its arrival time, ms after the question was sent. */
export type Recording = Omit<typeof recording, 'pieces'> & { pieces: [ms: number, text: string][] }

export const recordedRun = recording as Recording

/** Characters of the answer with one style; `start` is the offset in the answer's source. */
export type Span =
  | { kind: 'text' | 'strong'; start: number; text: string }
  | { kind: 'citation'; start: number; n: number }

/** The answer's paragraphs. Supports only the Markdown that the recording contains: bold, citations, empty lines. */
export function parseAnswer(answer: string): Span[][] {
  const paragraphs: Span[][] = []
  for (const match of answer.matchAll(/[^\n]+/g)) {
    const spans: Span[] = []
    for (const part of match[0].matchAll(
      /\*\*(?<strong>[^*]+)\*\*|\[(?<n>\d+)\]|(?<text>(?:(?!\*\*|\[\d+\])[^])+)/g,
    )) {
      const start = match.index + part.index
      const { strong, n, text } = part.groups ?? {}
      if (n) spans.push({ kind: 'citation', start, n: Number(n) })
      else if (strong) spans.push({ kind: 'strong', start: start + 2, text: strong })
      else if (text?.trim()) spans.push({ kind: 'text', start, text })
    }
    paragraphs.push(spans)
  }
  return paragraphs
}

/** Number of the answer's characters that had arrived `ms` after the question. */
export const countArrived = ({ pieces }: Recording, ms: number): number =>
  pieces.reduce((sum, [at, text]) => (at <= ms ? sum + text.length : sum), 0)
