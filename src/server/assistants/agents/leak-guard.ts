import type { OutputGuard, TextFilter } from '#server/runs/runs.ts'

/** So many letters and digits in a row, whatever stands between them, give a secret away. */
export const MIN_RUN_CHARS = 16
const NOTICE = '\n\n（涉及智能体的系统指令，回答到此为止。）'
const REASONING_NOTICE = '……（涉及智能体的系统指令，其余思考过程不显示。）'

type Options = {
  /** The text that must not be given away. */
  secret: string
  /** Texts that the reader has seen or may see anyway: a run of the secret in them is no secret. */
  knownTexts: readonly string[]
  /** Text of a continued answer that its reader has already. */
  before?: string
}

/** Keeps an answer from repeating a secret word for word; null where there is nothing to keep. */
export function createLeakGuard({ secret, knownTexts, before = '' }: Options): OutputGuard | null {
  const parts = findSecretParts(fold(secret), knownTexts.map(fold))
  if (!parts) return null
  const createFilter = (): TextFilter => createLeakFilter(parts, before)
  return { createFilter, notice: NOTICE, reasoning_notice: REASONING_NOTICE }
}

/** Returns the letters and digits of a text, without regard to case, width and accents. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** Returns the parts of a secret that are long enough and not known, separated by lines. All texts are folded. */
function findSecretParts(secret: string, knownTexts: readonly string[]): string {
  const listRuns = (text: string): string[] =>
    Array.from({ length: Math.max(0, text.length - MIN_RUN_CHARS + 1) }, (_, at) =>
      text.slice(at, at + MIN_RUN_CHARS),
    )
  const runs = listRuns(secret)
  const unknown = new Set(runs)
  for (const text of knownTexts) for (const run of listRuns(text)) unknown.delete(run)
  return runs
    .map((run, at) => {
      if (!unknown.has(run)) return ''
      return at > 0 && unknown.has(runs[at - 1]!) ? run.at(-1)! : `\n${run}`
    })
    .join('')
}

/** A character: `raw` as it came, `folded` as it counts. */
type HeldCharacter = { raw: string; folded: string }

/**
 * Holds back the end of a text as long as it begins a run of `parts`, and nothing else: in most texts a character or two.
 * `before` was shown already.
 */
function createLeakFilter(parts: string, before: string): TextFilter {
  let heldCharacters: HeldCharacter[] = []
  /** Letters and digits of the characters that are held back. */
  let run = ''
  let halfCharacter = ''
  let blocked = false

  const push = (text: string): string => {
    if (blocked) return ''
    let output = ''
    const { whole, half } = splitHalfCharacter(halfCharacter + text)
    halfCharacter = half
    for (const raw of whole) {
      const folded = fold(raw)
      heldCharacters.push({ raw, folded })
      run += folded
      // A run cannot begin with a character that does not count.
      while (heldCharacters.length && (!heldCharacters[0]!.folded || !parts.includes(run))) {
        const first = heldCharacters.shift()!
        output += first.raw
        run = run.slice(first.folded.length)
      }
      if (run.length >= MIN_RUN_CHARS) {
        blocked = true
        heldCharacters = []
        return output
      }
    }
    return output
  }

  push(before.slice(-MAX_BEFORE_CHARS))
  if (blocked) run = ''
  blocked = false
  heldCharacters = heldCharacters.map(({ folded }) => ({ raw: '', folded }))
  return {
    push,
    flush: () => (blocked ? '' : heldCharacters.map(({ raw }) => raw).join('') + halfCharacter),
    get blocked() {
      return blocked
    },
  }
}

/** Characters of the earlier text: a run cannot reach further back, unless marks and spaces fill it. */
const MAX_BEFORE_CHARS = 200

/** Splits off the first half of a surrogate pair that a platform cut in two, to wait for the second half. */
function splitHalfCharacter(text: string): { whole: string; half: string } {
  const half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? ''
  return { whole: text.slice(0, text.length - half.length), half }
}
