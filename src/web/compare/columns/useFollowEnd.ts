import { type RefObject, useEffect } from 'react'

/** Scrolled down so near to its end a column is there again. */
const END_PX = 48

/** Keeps a column at its end while that grows, for who is there; who has scrolled up, if only a little, stays there. */
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
      // What has grown since it was scrolled to its end is no sign that anybody has left that: only scrolling up is.
      if (scrollTop < lastTop && below >= 1) isAtEnd = false
      else if (below < END_PX) isAtEnd = true
      lastTop = scrollTop
    }
    const stay = () => {
      if (isAtEnd) element.scrollTop = element.scrollHeight
      // What has become shorter has moved up by itself.
      lastTop = element.scrollTop
    }
    // Of both: the window of a phone shrinks when the keyboard comes.
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
