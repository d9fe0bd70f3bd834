import { type RefObject, useEffect } from 'react'

/** A column scrolled to within this distance of its end follows the end again. */
const END_PX = 48

/** Keeps a column scrolled to its end as it grows. It stops when the reader scrolls up, if only a little. */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const [element, inner] = [scroller.current, content.current]
    if (!element || !inner) return
    let isAtEnd = true
    let lastTop = 0
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element
      const below = scrollHeight - scrollTop - clientHeight
      // Growth also takes the position away from the end, so only scrolling up counts as leaving it.
      if (scrollTop < lastTop && below >= 1) isAtEnd = false
      else if (below < END_PX) isAtEnd = true
      lastTop = scrollTop
    }
    const stay = () => {
      if (isAtEnd) element.scrollTop = element.scrollHeight
      // A shorter text moves the position up by itself.
      lastTop = element.scrollTop
    }
    // Both are observed, because the window of a phone shrinks when the keyboard opens.
    const observer = new ResizeObserver(stay)
    observer.observe(inner)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller, content])
}
