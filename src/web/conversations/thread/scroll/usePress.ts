import { type RefObject, useEffect, useEffectEvent } from 'react'

type Options = {
  container: RefObject<HTMLElement | null>
  /** Set to true while a pointer is down. */
  isPressed: RefObject<boolean>
  /** Called when it goes down. */
  onStart: () => void
  /** Called when it is up and the click was dispatched. */
  onEnd: () => void
}

/** Tracks a pressed pointer in a list. Nothing may move under it, or the click would be lost. */
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
    // The finger scrolls, or something is dragged away.
    addEventListener('pointercancel', onUp)
    return () => {
      element?.removeEventListener('pointerdown', onDown)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', onUp)
    }
  }, [container, isPressed])
}
