import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { VListHandle } from 'virtua'
import { readShownText, toShownRange } from '#web/core/shownText.ts'
import { findPassage } from './findPassage.ts'
import './passage.css'

/** Name of the marks in passage.css. */
const HIGHLIGHT = 'passage'

type Options = {
  /** The element that shows the document, or a page of it. */
  container: RefObject<HTMLElement | null>
  /** The passage in Markdown; null marks nothing. */
  text: string | null
  /** A new object for each request, so that the same passage is marked again. */
  target: object | null
  /** Called once for each target, with the beginning of the marked text. */
  onFound?: (start: Range) => void
}

/**
 * Marks a passage in a shown document without changing a node of it, and again whenever it is drawn anew. Marks nothing where the
 * passage is not found or the browser lacks CSS.highlights.
 */
export function useMarkedPassage({ container, text, target, onFound }: Options): void {
  const reportFound = useEffectEvent((start: Range) => onFound?.(start))
  useEffect(() => {
    const root = container.current
    if (!root || !text || !target) return
    let markedRanges: Range[] = []
    let hasFound = false
    const mark = () => {
      removeMarks(markedRanges)
      markedRanges = findRanges(root, text)
      addMarks(markedRanges)
      if (!markedRanges[0] || hasFound) return
      hasFound = true
      reportFound(markedRanges[0])
    }
    // A page of a PDF gets its text when it is drawn, Markdown its formulas when their renderer is loaded.
    const observer = new MutationObserver(mark)
    observer.observe(root, { childList: true, characterData: true, subtree: true })
    mark()
    return () => {
      observer.disconnect()
      removeMarks(markedRanges)
    }
  }, [container, text, target])
}

function findRanges(root: HTMLElement, passage: string): Range[] {
  const shownText = readShownText(root)
  return findPassage(shownText.text, passage).flatMap(
    ([start, end]) => toShownRange(shownText, start, end) ?? [],
  )
}

function addMarks(ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return
  const highlight = CSS.highlights.get(HIGHLIGHT) ?? new Highlight()
  for (const range of ranges) highlight.add(range)
  CSS.highlights.set(HIGHLIGHT, highlight)
}

function removeMarks(ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return
  for (const range of ranges) CSS.highlights.get(HIGHLIGHT)?.delete(range)
}

/** Scrolls a list so that the beginning of a passage in it is well in sight, unless it is already. */
export function scrollToRange(list: VListHandle | null, range: Range): void {
  const scroller = range.startContainer.parentElement?.closest('[role=region]')
  const start = range.getClientRects()[0]
  if (!list || !scroller || !start) return
  const { top, bottom, height } = scroller.getBoundingClientRect()
  if (start.top >= top && start.bottom <= bottom - height / 4) return
  list.scrollTo(scroller.scrollTop + start.top - top - height / 4)
}
