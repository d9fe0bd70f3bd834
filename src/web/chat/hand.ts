import { useRef } from 'react'

const upward = new Set(['ArrowUp', 'PageUp', 'Home'])
const downward = new Set(['ArrowDown', 'PageDown', 'End', ' '])

const opens = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('[aria-expanded]:not([aria-haspopup])') !== null

type Options = {
  /** The person has taken the list into their own hand. */
  release: () => void
  /** Whether the list is held at a message: then any turn of the wheel takes it from there. */
  held: () => boolean
}
type Pressed = { target: EventTarget; currentTarget: EventTarget }

/**
 * What the person's hand does to a list. Text that grows or is measured moves the list too, so that positions alone do not
 * tell what the person wants. `heading` is the way they move it.
 */
export function useHand({ release, held }: Options) {
  const heading = useRef<'up' | 'down'>('down')
  return {
    heading,
    handlers: {
      onWheel: ({ deltaY }: { deltaY: number }) => {
        heading.current = deltaY < 0 ? 'up' : 'down'
        if (deltaY < 0 || held()) release()
      },
      onTouchMove: () => {
        heading.current = 'down'
        release()
      },
      onKeyDown: ({ key }: { key: string }) => {
        if (upward.has(key)) {
          heading.current = 'up'
          release()
        } else if (downward.has(key)) heading.current = 'down'
      },
      // What is opened in the middle is looked at, not the end that it moves.
      onFocus: ({ target }: Pressed) => target instanceof HTMLTextAreaElement && release(),
      onClick: ({ target }: Pressed) => opens(target) && release(),
      // The scrollbar.
      onPointerDown: ({ target, currentTarget }: Pressed) => {
        if (target !== currentTarget) return
        heading.current = 'down'
        release()
      },
    },
  }
}
