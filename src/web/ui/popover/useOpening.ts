import { useState } from 'react'

/**
 * What is open over the page, as a number to be its `key`; null while nothing is. A popover says a moment later that it has
 * closed: one that is opened in between is another, and stays.
 */
export function useOpening(): { opening: number | null; open: () => void; close: () => void } {
  const [opening, setOpening] = useState<number | null>(null)
  return {
    opening,
    open: () => setOpening((last) => (last ?? 0) + 1),
    close: () => setOpening(null),
  }
}
