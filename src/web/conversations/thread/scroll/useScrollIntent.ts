import { useRef } from 'react'

const upKeys = new Set(['ArrowUp', 'PageUp', 'Home'])
const downKeys = new Set(['ArrowDown', 'PageDown', 'End', ' '])

/** Tells whether a button changes how much of the answer is shown, or how. */
const isDisclosure = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[aria-expanded]:not([aria-haspopup]), [aria-pressed]') !== null

type Options = {
  /** Called when the person takes over scrolling. */
  release: () => void
  /** Returns true while the list is held at a message: then any wheel movement releases it. */
  isHeld: () => boolean
}
type PointerTarget = { target: EventTarget; currentTarget: EventTarget }

/**
 * Watches how the person scrolls a list. Growing and measured text moves the list too, so positions alone do not show the
 * person's intent. `direction` is the direction of their last movement.
 */
export function useScrollIntent({ release, isHeld }: Options) {
  const direction = useRef<'up' | 'down'>('down')
  return {
    direction,
    handlers: {
      onWheel: ({ deltaY }: { deltaY: number }) => {
        direction.current = deltaY < 0 ? 'up' : 'down'
        if (deltaY < 0 || isHeld()) release()
      },
      onTouchMove: () => {
        direction.current = 'down'
        release()
      },
      onKeyDown: ({ key }: { key: string }) => {
        if (upKeys.has(key)) {
          direction.current = 'up'
          release()
        } else if (downKeys.has(key)) direction.current = 'down'
      },
      // The person looks at the part that they open, not at the end, which it moves.
      onFocus: ({ target }: PointerTarget) => target instanceof HTMLTextAreaElement && release(),
      onClick: ({ target }: PointerTarget) => isDisclosure(target) && release(),
      // A press on the scrollbar.
      onPointerDown: ({ target, currentTarget }: PointerTarget) => {
        if (target !== currentTarget) return
        direction.current = 'down'
        release()
      },
    },
  }
}
