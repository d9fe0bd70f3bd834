import { type RefObject, useEffect, useState } from 'react'
import { getSearchedWords } from '#web/conversations/conversations.ts'

/** How long a message that a search led to is marked. */
const MARK_MS = 2_000
const HIGHLIGHT_NAME = 'found'

/** The places of words in the text of an element. */
function findWords(element: Element, words: readonly string[]): Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const ranges: Range[] = []
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    const text = node.data.toLowerCase()
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        ranges.push(range)
      }
    }
  }
  return ranges
}

/** The address stays the conversation's: a reload, or who is given it, is not led there again. */
function removeMessageFromUrl(): void {
  const url = new URL(location.href)
  url.searchParams.delete('message')
  // Inertia's own entry stays as it is: going back still leads to the message.
  history.replaceState(history.state, '', url)
}

/** Whether a message is marked as found, with the words in it; for a moment, and then never again. */
export function useFoundMark(isTarget: boolean, row: RefObject<HTMLElement | null>): boolean {
  const [isOver, setIsOver] = useState(false)
  const isMarked = isTarget && !isOver
  useEffect(() => {
    const element = row.current
    if (!isMarked || !element) return
    const mark = () =>
      CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...findWords(element, getSearchedWords())))
    mark()
    // Its text may be drawn only then.
    const observer = new MutationObserver(mark)
    observer.observe(element, { subtree: true, childList: true, characterData: true })
    const timer = setTimeout(() => {
      setIsOver(true)
      removeMessageFromUrl()
    }, MARK_MS)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
      CSS.highlights.delete(HIGHLIGHT_NAME)
    }
  }, [isMarked, row])
  return isMarked
}
