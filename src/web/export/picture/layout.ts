import type { SheetUnit } from './sheet.ts'

/** A piece of the sheet with its place on it, in CSS pixels; `wrapper` can be drawn by itself. */
type PlacedUnit = { wrapper: HTMLElement; top: number; bottom: number }
export type Layout = { width: number; height: number; placed: PlacedUnit[] }

/**
 * Where every piece stands in the running text, and each in a wrapper of its own that puts it just there. A slice of the
 * picture is then drawn of the few pieces that touch it, instead of the whole conversation each time.
 */
export function layoutSheet(sheet: HTMLElement, units: readonly SheetUnit[]): Layout {
  const paper = sheet.getBoundingClientRect()
  const [width, height] = [Math.ceil(paper.width), Math.ceil(paper.height)]
  const boxes = units.map(({ node }) => node.getBoundingClientRect())
  const wrappers = units.map((unit, i) => {
    const box = boxes[i] ?? paper
    const wrapper = document.createElement('div')
    wrapper.className = 'sheet-unit'
    wrapper.style.left = `${box.left - paper.left}px`
    // A little more than measured: lines must not break anew for a rounding.
    wrapper.style.width = `${box.width + 0.1}px`
    wrapper.append(unit.markdown ? wrapInMarkdown(unit.node) : unit.node)
    return wrapper
  })
  sheet.replaceChildren(...wrappers)
  sheet.style.height = `${height}px`
  // Alone, a piece may begin lower than its wrapper, by margins that had been those of its neighbours.
  const shifts = units.map(
    ({ node }, i) => node.getBoundingClientRect().top - (wrappers[i]?.getBoundingClientRect().top ?? 0),
  )
  const placed = wrappers.map((wrapper, i): PlacedUnit => {
    const box = boxes[i] ?? paper
    wrapper.style.top = `${box.top - paper.top - (shifts[i] ?? 0)}px`
    return { wrapper, top: box.top - paper.top, bottom: box.bottom - paper.top }
  })
  return { width, height, placed }
}

function wrapInMarkdown(node: HTMLElement): HTMLElement {
  const place = document.createElement('div')
  place.className = 'md'
  place.append(node)
  return place
}
