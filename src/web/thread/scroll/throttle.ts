/**
 * A function that is carried out at most once in `ms` milliseconds: the first call after a pause at once, of those that
 * follow only the last, when the time is over. `flush` carries out what is waiting.
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
