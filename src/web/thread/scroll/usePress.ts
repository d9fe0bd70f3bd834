import { type RefObject, useEffect, useEffectEvent } from 'react'

type Options = {
  container: RefObject<HTMLElement | null>
  /** Told whether a pointer is down. */
  isPressed: RefObject<boolean>
  /** It has just come down. */
  onStart: () => void
  /** It is up, and the click has been told. */
  onEnd: () => void
}

/** While a pointer is down in a list, nothing may move under it: the click would be lost. */
export function usePress({ container, isPressed, onStart, onEnd }: Options): void {
  const reportStart = useEffectEvent(onStart)
  const reportEnd = useEffectEvent(onEnd)
  useEffect(() => {
    const element = container.current
    const onDown = ({ button }: PointerEvent) => {
      if (button !== 0) return
      isPressed.current = true
      reportStart()
    }
    const onUp = () => {
      if (!isPressed.current) return
      requestAnimationFrame(() => {
        isPressed.current = false
        reportEnd()
      })
    }
    element?.addEventListener('pointerdown', onDown)
    addEventListener('pointerup', onUp)
    // A finger that scrolls, or something that is dragged away.
    addEventListener('pointercancel', onUp)
    return () => {
      element?.removeEventListener('pointerdown', onDown)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', onUp)
    }
  }, [container, isPressed])
}
