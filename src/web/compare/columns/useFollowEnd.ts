import { type RefObject, useEffect } from 'react'

/** So near to its end a column counts as being there. */
const END_PX = 48

/** Keeps a column at its end while that grows, for who is there; who has scrolled up to read is left where they are. */
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
      // What has grown since it was scrolled to its end is no sign that anybody has left that: only scrolling up is.
      if (scrollHeight - scrollTop - clientHeight < END_PX) isAtEnd = true
      else if (scrollTop < lastTop) isAtEnd = false
      lastTop = scrollTop
    }
    const stay = () => {
      if (isAtEnd) element.scrollTop = element.scrollHeight
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
