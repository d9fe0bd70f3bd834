const OPENING = '<think>'
const CLOSING = '</think>'

/** Text, and what was thought, in the order in which they come. */
type Piece = { type: 'reasoning' | 'delta'; text: string }

/** Tells what a model thought, which it writes between `<think>` and `</think>` before its answer, from the answer. */
export function createThinkingReader() {
  let state: 'start' | 'thinking' | 'gap' | 'answer' = 'start'
  let held = ''

  const read = (text: string): Piece[] => {
    if (state === 'answer') return text ? [{ type: 'delta', text }] : []
    held += text
    if (state === 'start') {
      const begun = held.trimStart()
      if (OPENING.startsWith(begun)) return []
      if (!begun.startsWith(OPENING)) return readAs('answer', 0)
      state = 'thinking'
      held = begun.slice(OPENING.length)
    }
    if (state === 'gap') {
      held = held.trimStart()
      return held ? readAs('answer', 0) : []
    }
    const end = held.indexOf(CLOSING)
    if (end !== -1) {
      const thought = held.slice(0, end)
      return [...toReasoning(thought), ...readAs('gap', end + CLOSING.length)]
    }
    // A closing tag may come in two pieces.
    const kept = findBegin(held)
    const thought = held.slice(0, held.length - kept)
    held = held.slice(held.length - kept)
    return toReasoning(thought)
  }
  const readAs = (next: typeof state, from: number): Piece[] => {
    state = next
    const rest = held.slice(from)
    held = ''
    return read(rest)
  }
  return {
    read,
    /** Reads what is left when nothing more comes. */
    end(): Piece[] {
      const rest = held
      held = ''
      if (!rest) return []
      return state === 'thinking' ? toReasoning(rest) : [{ type: 'delta', text: rest }]
    },
  }
}

const toReasoning = (text: string): Piece[] => (text ? [{ type: 'reasoning', text }] : [])

/** How many characters at the end may be the beginning of the closing tag. */
function findBegin(text: string): number {
  for (let chars = Math.min(CLOSING.length - 1, text.length); chars > 0; chars--)
    if (CLOSING.startsWith(text.slice(-chars))) return chars
  return 0
}
