import type { SheetUnit } from './sheet.ts'

/** A piece of the sheet with its position, in CSS pixels; `wrapper` can be drawn by itself. */
type PlacedUnit = { wrapper: HTMLElement; top: number; bottom: number }
export type Layout = { width: number; height: number; placed: PlacedUnit[] }

/**
 * Measures the pieces in the running text, and puts each into a wrapper of its own at that position. A slice of the picture is
 * then drawn from the few pieces that touch it, not from the whole conversation.
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
    // Slightly wider than measured, so that rounding does not break lines differently.
    wrapper.style.width = `${box.width + 0.1}px`
    wrapper.append(unit.markdown ? wrapInMarkdown(unit.node) : unit.node)
    return wrapper
  })
  sheet.replaceChildren(...wrappers)
  sheet.style.height = `${height}px`
  // By itself, a piece may begin lower than its wrapper, because of margins that collapsed with its neighbours.
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
