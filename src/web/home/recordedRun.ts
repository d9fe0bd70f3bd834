import recording from './recordedRun.json'

/** What a run was recorded as: each piece of the answer with when it came, ms after the question was sent. */
export type Recording = Omit<typeof recording, 'pieces'> & { pieces: [ms: number, text: string][] }

export const recordedRun = recording as Recording

/** A run of characters of the answer that look alike; `start` counts from the beginning of the answer's source. */
export type Span =
  | { kind: 'text' | 'strong'; start: number; text: string }
  | { kind: 'citation'; start: number; n: number }

/** The answer's paragraphs. Of markdown it knows what the recording has: bold, citations, empty lines. */
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

/** How many characters of the answer had come `ms` after the question. */
export const countArrived = ({ pieces }: Recording, ms: number): number =>
  pieces.reduce((sum, [at, text]) => (at <= ms ? sum + text.length : sum), 0)
