import { findCitations } from '#contract/conversations/citations.ts'
import type { OutputGuard, TextFilter } from '#server/runs/runs.ts'

/** Blanks, and a citation that may yet get longer, or turn out to be a link. */
const UNDECIDED = /[ \t]*(?:[[【［][^\]】］\n]{0,40}[\]】］]?)?$/
/** A fence in a list or a quotation is none here: one that ends with it would let numbers behind it pass. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/

/**
 * Takes the numbers of hidden sources out of an answer while it is written, so that they reach nobody. `isHidden` is called when
 * a number comes: the sources are found after the guard is made.
 */
export function createCitationGuard(
  guard: OutputGuard | null,
  isHidden: (n: number) => boolean,
): OutputGuard {
  const createFilter = (): TextFilter => joinFilters(createCitationFilter(isHidden), guard?.createFilter())
  return { notice: '', reasoning_notice: '', ...guard, createFilter }
}

function joinFilters(first: TextFilter, second: TextFilter | undefined): TextFilter {
  if (!second) return first
  return {
    push: (text) => second.push(first.push(text)),
    flush: () => second.push(first.flush()) + second.flush(),
    get blocked() {
      return second.blocked
    },
  }
}

function createCitationFilter(isHidden: (n: number) => boolean): TextFilter {
  /** `line`: the current line as far as it was read; `heldText`: text that is not read yet. */
  let [line, heldText, fence] = ['', '', '']

  const read = (added: string): string => {
    const text = line + added
    const end = text.lastIndexOf('\n') + 1
    const output = fence || FENCE.test(text) ? added : cutHidden(text, line.length, isHidden)
    for (const whole of text.slice(0, end).split('\n').slice(0, -1)) fence = updateFence(fence, whole)
    line = text.slice(end)
    return output
  }
  /** Reads line by line, so that a fence counts from the next line on. */
  const readLines = (text: string): string =>
    text
      .split(/(?<=\n)/)
      .map(read)
      .join('')
  return {
    blocked: false,
    push(text) {
      heldText += text
      const undecided = UNDECIDED.exec(heldText)?.[0].length ?? 0
      const decided = heldText.slice(0, heldText.length - undecided)
      heldText = heldText.slice(decided.length)
      return readLines(decided)
    },
    flush() {
      const rest = heldText
      heldText = ''
      return readLines(rest)
    },
  }
}

/** Returns the fence of the code that is open behind a line; empty where none is. */
function updateFence(fence: string, line: string): string {
  const [start = '', mark = ''] = FENCE.exec(line) ?? []
  if (!fence) return mark
  return mark.startsWith(fence) && !line.slice(start.length).trim() ? '' : fence
}

/** Cuts the hidden numbers out of a line, and returns it from `from` on. */
function cutHidden(line: string, from: number, isHidden: (n: number) => boolean): string {
  let [output, at] = ['', from]
  for (const { raw, numbers, index } of findCitations(line)) {
    const visibleNumbers = numbers.filter((n) => !isHidden(n))
    // After a backtick without a partner, code may have begun.
    const isOpenCode = (line.slice(0, index).match(/`/g)?.length ?? 0) % 2 === 1
    if (index < from || visibleNumbers.length === numbers.length || isOpenCode) continue
    const before = line.slice(at, index)
    output += visibleNumbers.length
      ? `${before}[${visibleNumbers.join(', ')}]`
      : before.replace(/[ \t]+$/, '')
    at = index + raw.length
  }
  return output + line.slice(at)
}
