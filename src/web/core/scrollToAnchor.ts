import { router } from '@inertiajs/react'

/**
 * Scrolls to the element that the address names, for contents that come after the page; returns how to give it up. In the first
 * frame after its start Inertia puts a page that the server has drawn back to where it was before: after that it is done again.
 */
export function scrollToAnchor(): () => void {
  let frame = 0
  const scroll = () => {
    frame = requestAnimationFrame(() => document.getElementById(location.hash.slice(1))?.scrollIntoView())
  }
  scroll()
  const stop = router.on('navigate', scroll)
  return () => {
    stop()
    cancelAnimationFrame(frame)
  }
}
