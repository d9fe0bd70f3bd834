import { useRef } from 'react'

const upKeys = new Set(['ArrowUp', 'PageUp', 'Home'])
const downKeys = new Set(['ArrowDown', 'PageDown', 'End', ' '])

/** A button that changes how much of the answer is shown, or how. */
const isDisclosure = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[aria-expanded]:not([aria-haspopup]), [aria-pressed]') !== null

type Options = {
  /** The person scrolls by themselves. */
  release: () => void
  /** Whether the list is held at a message: then any movement of the wheel releases it. */
  isHeld: () => boolean
}
type PointerTarget = { target: EventTarget; currentTarget: EventTarget }

/**
 * What the person does to a list. Text that grows or is measured moves the list too, so that positions alone do not
 * tell what the person wants. `direction` is the way they move it.
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
      // What is opened in the middle is looked at, not the end that it moves.
      onFocus: ({ target }: PointerTarget) => target instanceof HTMLTextAreaElement && release(),
      onClick: ({ target }: PointerTarget) => isDisclosure(target) && release(),
      // The scrollbar.
      onPointerDown: ({ target, currentTarget }: PointerTarget) => {
        if (target !== currentTarget) return
        direction.current = 'down'
        release()
      },
    },
  }
}
