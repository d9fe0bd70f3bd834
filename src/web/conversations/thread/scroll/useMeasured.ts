import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'

/**
 * How long messages are given to be measured after the list moved or older ones were prepended. Anything prepended before that
 * would lose its position.
 */
const MEASURE_MS = 250

/** Tells whether the messages have been measured since one of `keys` changed, and calls `onMeasured` when they have. */
export function useMeasured(
  list: RefObject<VListHandle | null>,
  keys: readonly (string | null | undefined)[],
  onMeasured: () => void,
): RefObject<boolean> {
  const isMeasured = useRef(false)
  const [count, setCount] = useState(0)
  const key = JSON.stringify(keys)
  useLayoutEffect(() => {
    isMeasured.current = false
    const timer = setInterval(() => {
      // A background tab gets no layout for a while; prepending to a list that shows nothing yet would leave it empty.
      if (!list.current?.viewportSize) return
      clearInterval(timer)
      isMeasured.current = true
      setCount((before) => before + 1)
    }, MEASURE_MS)
    return () => clearInterval(timer)
  }, [list, key])
  const finish = useEffectEvent(onMeasured)
  useEffect(() => {
    if (isMeasured.current) finish()
  }, [count])
  return isMeasured
}
