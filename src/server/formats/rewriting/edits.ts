import type { Range } from './nodes.ts'

/** A replacement: pieces of text, and ranges of the source with the replacements in them. */
export type Edit = Range & { parts: (string | Range)[] }

/** Applies replacements to the source. */
export function applyEdits(source: string, edits: Edit[]): string {
  const sorted = edits
    .map((edit, index) => ({ edit, index }))
    // An empty range comes before others that begin there; of two that begin together the larger holds the other.
    .sort(
      (a, b) =>
        a.edit.start - b.edit.start ||
        Number(a.edit.end > a.edit.start) - Number(b.edit.end > b.edit.start) ||
        b.edit.end - a.edit.end ||
        a.index - b.index,
    )
    .map(({ edit }) => edit)
  const render = ({ start, end }: Range, isWhole: boolean): string => {
    let out = ''
    let at = start
    for (let index = findFirst(sorted, start); index < sorted.length; index++) {
      const edit = sorted[index]
      if (!edit || edit.start > end) break
      const isEmpty = edit.start === edit.end
      // An insertion at the edge of a range belongs outside it; an edit that moves a range is not applied within it.
      const isOutside = isEmpty && !isWhole && (edit.start === start || edit.start === end)
      const isSelf = !isWhole && edit.start === start && edit.end === end && edit.parts.some(isRange)
      if (edit.start < at || edit.end > end || isOutside || isSelf) continue
      out += source.slice(at, edit.start)
      out += edit.parts.map((each) => (isRange(each) ? render(each, false) : each)).join('')
      at = edit.end
    }
    return out + source.slice(at, end)
  }
  return render({ start: 0, end: source.length }, true)
}

const isRange = (part: string | Range): part is Range => typeof part !== 'string'

function findFirst(sorted: Edit[], start: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low
}
