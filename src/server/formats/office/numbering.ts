import { formatNumber } from '../text/numbers.ts'

/** `restart`: the level, counted from 1, whose next number begins this one anew; 0 for none. */
export type NumberLevel = {
  format: string
  /** The number with its surroundings; `%1` stands for the number of the first level. */
  text: string
  start: number
  /** Numbers by the law (`isLgl`) are in digits at every level. */
  isDecimal: boolean
  restart?: number
}
/** Lists with the same `key` go on counting after each other. A list may lack levels above one that it has. */
export type Numbering = { key: string; levels: (NumberLevel | undefined)[] }

/** Returns a function that gives the marker of a list's next item: `-`, or its number as the document writes it. */
export function createMarkers(
  numberings: ReadonlyMap<string, Numbering>,
): (list: { level: number; id: string }) => string {
  const counters = new Map<string, (number | undefined)[]>()
  return ({ id, level }) => {
    const { key = id, levels = [] } = numberings.get(id) ?? {}
    const ownLevel = levels[level]
    const counter = counters.get(key) ?? []
    counters.set(key, counter)
    for (let above = 0; above < level; above++) counter[above] ??= levels[above]?.start ?? 1
    counter[level] = counter[level] === undefined ? (ownLevel?.start ?? 1) : counter[level] + 1
    for (const below of counter.keys().filter((at) => at > level)) {
      const restart = levels[below]?.restart
      if (restart === undefined || level < restart) counter[below] = undefined
    }
    if (!ownLevel || ownLevel.format === 'bullet') return '-'
    const text = ownLevel.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const format = levels[at]?.format ?? 'decimal'
      if (format === 'none' || format === 'bullet') return ''
      return formatNumber(counter[at] ?? 1, ownLevel.isDecimal ? 'decimal' : format)
    })
    return text.trim() || '-'
  }
}

/** Formats an item of a list. A number that Markdown does not know stands behind a bullet. */
export function formatItem(level: number, marker: string, text: string): string {
  const mark = marker === '-' || /^\d+[.)]$/.test(marker) ? marker : `- ${marker}`
  return `${'  '.repeat(Math.max(0, level))}${mark} ${text.replaceAll('\n', ' ')}`
}

/** Formats the number of a heading, to stand before its text; nothing where it has a bullet or none. */
export const formatHeadingNumber = (marker: string): string =>
  marker && marker !== '-' ? `${marker.replace(/(?<=\d)\.$/, '')} ` : ''
