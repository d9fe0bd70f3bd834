import { useState } from 'react'

/**
 * Numbers the openings of a popover, for its `key`; null while closed. A popover reports closing with a delay, so one opened in
 * between must be another element.
 */
export function useOpening(): { opening: number | null; open: () => void; close: () => void } {
  const [opening, setOpening] = useState<number | null>(null)
  return {
    opening,
    open: () => setOpening((last) => (last ?? 0) + 1),
    close: () => setOpening(null),
  }
}
