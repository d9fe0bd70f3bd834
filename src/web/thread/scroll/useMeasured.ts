import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'

/**
 * So long messages are left to find their sizes after the list was moved or older ones were put in front of it: what is
 * put in before that would lose its place.
 */
const MEASURE_MS = 250

/** Whether the messages have found their sizes since one of `keys` changed; `onMeasured` is called when they have. */
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
      // A tab in the background is given no room for a while: what was put in front of a list that shows nothing yet
      // would leave it empty.
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
