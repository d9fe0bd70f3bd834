import { type RefObject, useEffect, useState } from 'react'
import { getSearchedWords } from '#web/conversations/conversations.ts'
import { readShownText, toShownRange } from '#web/core/shownText.ts'

/** How long a message found by a search stays marked. */
const MARK_MS = 2_000
/** Duration of the mark's fading (base.css). */
const FADE_MS = 500
const HIGHLIGHT_NAME = 'found'

/** Finds words in the text of an element. */
function findWords(element: Element, words: readonly string[]): Range[] {
  const shownText = readShownText(element)
  const text = shownText.text.toLowerCase()
  return words.flatMap((word) => {
    const ranges: (Range | null)[] = []
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
      ranges.push(toShownRange(shownText, at, at + word.length))
    return ranges.filter((range) => range !== null)
  })
}

/** Removes the message from the address, so that neither a reload nor somebody who gets the address jumps to it. */
function removeMessageFromUrl(): void {
  const url = new URL(location.href)
  url.searchParams.delete('message')
  // Inertia's own entry stays as it is: going back still leads to the message.
  history.replaceState(history.state, '', url)
}

/** Marks a found message and the words in it for a moment, only once. Returns true during that time. */
export function useFoundMark(isTarget: boolean, row: RefObject<HTMLElement | null>): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const element = row.current
    if (!isTarget || !element) return
    const mark = () =>
      CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...findWords(element, getSearchedWords())))
    mark()
    // The text may be rendered later.
    const observer = new MutationObserver(mark)
    observer.observe(element, { subtree: true, childList: true, characterData: true })
    const stop = () => {
      observer.disconnect()
      CSS.highlights.delete(HIGHLIGHT_NAME)
    }
    const timers = [
      setTimeout(() => {
        setIsOver(true)
        removeMessageFromUrl()
      }, MARK_MS),
      setTimeout(stop, MARK_MS + FADE_MS),
    ]
    return () => {
      timers.forEach(clearTimeout)
      stop()
    }
  }, [isTarget, row])
  return isTarget && !isOver
}
