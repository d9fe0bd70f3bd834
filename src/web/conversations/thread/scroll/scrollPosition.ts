/** A position in a conversation: `below` is the number of pixels below the beginning of a message. */
export type ScrollPosition = { id: string; below: number }

/** A position further back than this many pages is given up. */
const MAX_RESTORE_PAGES = 10
const PREFIX = 'wenqu.scroll.'

/** Loads the saved position; null means the end. */
export function loadScrollPosition(sessId: string): ScrollPosition | null {
  try {
    const savedPosition = JSON.parse(
      sessionStorage.getItem(PREFIX + sessId) ?? 'null',
    ) as ScrollPosition | null
    return savedPosition && typeof savedPosition.id === 'string' && typeof savedPosition.below === 'number'
      ? savedPosition
      : null
  } catch {
    return null
  }
}

/** Saves a position for the lifetime of the tab. */
export function saveScrollPosition(sessId: string, position: ScrollPosition | null): void {
  try {
    if (position) sessionStorage.setItem(PREFIX + sessId, JSON.stringify(position))
    else sessionStorage.removeItem(PREFIX + sessId)
  } catch {
    // Storage may be forbidden or full: then a conversation opens at its end.
  }
}

type RestoreStep =
  | { type: 'scroll'; index: number }
  | { type: 'loadOlder' }
  | { type: 'wait' }
  | { type: 'giveUp' }
type RestoreState = {
  messages: readonly { id: string }[]
  has_more: boolean
  isLoading: boolean
  /** Pages loaded so far in search of the message. */
  pagesRead: number
}

/** Returns the next step that brings a conversation back to a position. */
export function getRestoreStep(
  { id }: ScrollPosition,
  { messages, has_more, isLoading, pagesRead }: RestoreState,
): RestoreStep {
  const index = messages.findIndex((message) => message.id === id)
  if (index >= 0) return { type: 'scroll', index }
  if (!has_more || pagesRead >= MAX_RESTORE_PAGES) return { type: 'giveUp' }
  return { type: isLoading ? 'wait' : 'loadOlder' }
}

/**
 * Returns a function that runs at most once in `ms` milliseconds: the first call after a pause at once, then the last of the
 * calls in each interval at its end. `flush` runs a waiting call.
 */
export function throttle<A extends unknown[]>(ms: number, callback: (...args: A) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pendingArgs: A | null = null
  const startTimer = () => {
    timer = setTimeout(() => {
      timer = undefined
      if (pendingArgs) call(...pendingArgs)
    }, ms)
  }
  const call = (...args: A): void => {
    pendingArgs = args
    if (timer !== undefined) return
    pendingArgs = null
    startTimer()
    callback(...args)
  }
  const flush = (): void => {
    if (pendingArgs) callback(...pendingArgs)
    pendingArgs = null
  }
  return Object.assign(call, { flush })
}
