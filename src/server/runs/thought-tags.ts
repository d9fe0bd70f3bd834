import type { StreamPart } from '#server/llm/llm.ts'

/**
 * The tags around a model's thoughts where its platform does not separate them: DeepSeek R1, Qwen, MiniMax and most others
 * (https://docs.vllm.ai/en/latest/features/reasoning_outputs.html), Kimi-VL and Seed-OSS (their chat templates).
 */
const TAGS = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['◁think▷', '◁/think▷'],
  ['<seed:think>', '</seed:think>'],
] as const
type Tags = (typeof TAGS)[number]

const CLOSING = TAGS.map(([, closing]) => closing)
const MAX_CLOSING_CHARS = Math.max(...CLOSING.map(({ length }) => length))
/** The part of an answer in which the end of thoughts without an opening tag is searched, characters. */
const MAX_HEADLESS_CHARS = 200_000

type Delta = Extract<StreamPart, { type: 'delta' }>
type Piece = { type: 'reasoning' | 'delta' | 'replace'; text: string }

/**
 * Separates thoughts from the answer where both are in one text: `<think>…</think>` at its beginning. Some templates write the
 * opening tag into the prompt, so that only the closing one comes: then everything before it was thought, though it was shown as
 * the answer. Only readers whose text can be replaced may learn of that (`canReplace`).
 */
export function createThoughtFilter(canReplace: boolean) {
  const readOpening = createOpeningReader()
  const readHeadless = canReplace ? createHeadlessReader() : null

  const readAll = (pieces: Piece[]): StreamPart[] =>
    pieces.flatMap((piece) => (piece.type === 'delta' && readHeadless?.(piece.text)) || [piece])
  const end = (): StreamPart[] => {
    const pieces = readOpening.end()
    return readOpening.hasTags() ? pieces : readAll(pieces)
  }
  return {
    /** Tells whether every later part passes unchanged. */
    isOver: (): boolean => !readHeadless && readOpening.isOver(),
    /** Returns the parts that replace a part. */
    filter(part: StreamPart): StreamPart[] {
      if (part.type === 'delta' && !part.refusal) {
        const pieces = readOpening.read(part)
        if (pieces === null) return readHeadless?.(part.text) ?? [part]
        return readOpening.hasTags() ? pieces : readAll(pieces)
      }
      if (part.type === 'reasoning' || part.type === 'usage' || part.type === 'usage_flagged') return [part]
      return [...end(), part]
    },
    /** Returns the text held back, at the end. */
    end,
  }
}

function createOpeningReader() {
  let state: 'start' | 'thinking' | 'gap' | 'answer' = 'start'
  let tags: Tags | undefined
  let pending = ''

  const readHeld = (): Piece[] => {
    if (state === 'start') {
      const beginning = pending.trimStart()
      if (TAGS.some(([opening]) => opening.startsWith(beginning))) return []
      tags = TAGS.find(([opening]) => beginning.startsWith(opening))
      state = tags ? 'thinking' : 'answer'
      if (tags) pending = beginning.slice(tags[0].length)
    }
    if (state === 'thinking' && tags) {
      const end = pending.indexOf(tags[1])
      // A closing tag may come in several pieces.
      const keptLength = end < 0 ? countBegun(pending, tags[1]) : 0
      const thought = pending.slice(0, end < 0 ? pending.length - keptLength : end)
      const pieces: Piece[] = thought ? [{ type: 'reasoning', text: thought }] : []
      pending = end < 0 ? pending.slice(pending.length - keptLength) : pending.slice(end + tags[1].length)
      if (end < 0) return pieces
      state = 'gap'
      return [...pieces, ...readHeld()]
    }
    if (state === 'gap') {
      pending = pending.trimStart()
      if (!pending) return []
      state = 'answer'
    }
    const text = pending
    pending = ''
    return text ? [{ type: 'delta', text }] : []
  }
  return {
    hasTags: () => tags !== undefined,
    isOver: () => state === 'answer',
    /** Returns null for a part that passes unchanged. */
    read(part: Delta): Piece[] | null {
      if (state === 'answer') return null
      const isFirst = pending === ''
      pending += part.text
      const pieces = readHeld()
      return isFirst && pending === '' && !tags ? null : pieces
    },
    end(): Piece[] {
      const text = pending
      pending = ''
      const type = state === 'thinking' ? 'reasoning' : 'delta'
      if (state === 'start') state = 'answer'
      return text.trim() || type === 'delta' ? toPiece(type, text) : []
    },
  }
}

const toPiece = (type: Piece['type'], text: string): Piece[] => (text ? [{ type, text }] : [])

/** Returns how many characters at the end may begin a tag. */
function countBegun(text: string, tag: string): number {
  for (let chars = Math.min(tag.length - 1, text.length); chars > 0; chars--)
    if (tag.startsWith(text.slice(-chars))) return chars
  return 0
}

/** Finds the closing tag of thoughts without an opening one; null where a text stays an answer. */
function createHeadlessReader() {
  let whole = ''
  let [isOver, isBeforeAnswer] = [false, false]
  return (text: string): Piece[] | null => {
    if (isBeforeAnswer) {
      const answer = text.trimStart()
      isBeforeAnswer = answer === ''
      return toPiece('delta', answer)
    }
    if (isOver) return null
    const from = Math.max(0, whole.length - MAX_CLOSING_CHARS - 2)
    whole += text
    isOver = whole.length > MAX_HEADLESS_CHARS
    const near = whole.slice(from)
    // The line break after it may come later.
    if (!near.includes('\n') || !CLOSING.some((closing) => near.includes(closing))) return null
    const span = findHeadlessEnd(whole)
    if (!span) return null
    const answer = whole.slice(span.end).trimStart()
    isOver = true
    isBeforeAnswer = answer === ''
    return [
      { type: 'reasoning', text: whole.slice(0, span.start).trim() },
      { type: 'replace', text: answer },
    ]
  }
}

/** Finds a closing tag on its own line, or at a line's end before a blank one; not in code or in a text about tags. */
function findHeadlessEnd(text: string): { start: number; end: number } | null {
  for (const [opening, closing] of TAGS) {
    const at = text.indexOf(closing)
    if (at < 0) continue
    const [before, after] = [text.slice(0, at), text.slice(at + closing.length)]
    const isOwnLine = /(?:^|\n)[ \t]*$/.test(before) && /^[ \t]*\n/.test(after)
    const isLineEnd = /^[ \t]*\n[ \t]*\n/.test(after)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const isCode =
      countMatches(before, /^ {0,3}(?:`{3}|~{3})/gm) % 2 === 1 || countMatches(line, /`/g) % 2 === 1
    if ((isOwnLine || isLineEnd) && before.trim() && !isCode && !before.includes(opening))
      return { start: at, end: at + closing.length }
  }
  return null
}

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
