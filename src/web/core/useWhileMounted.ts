import { useCallback, useEffect, useRef } from 'react'

/** Calls `run` while the component is mounted; later calls belong to a view that was left. Stable while `run` is. */
export function useWhileMounted<A extends unknown[]>(run: (...args: A) => void): (...args: A) => void {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return useCallback((...args: A) => isMounted.current && run(...args), [run])
}
