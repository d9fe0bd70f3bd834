/**
 * A function that is carried out at most once in `ms` milliseconds: the first call after a pause at once, of those that
 * follow only the last, when the time is over. `flush` carries out what is waiting.
 */
export function atMostEvery<A extends unknown[]>(ms: number, what: (...args: A) => void) {
  let resting: ReturnType<typeof setTimeout> | undefined
  let waiting: A | null = null
  const rest = () => {
    resting = setTimeout(() => {
      resting = undefined
      if (waiting) call(...waiting)
    }, ms)
  }
  const call = (...args: A): void => {
    waiting = args
    if (resting !== undefined) return
    waiting = null
    rest()
    what(...args)
  }
  const flush = (): void => {
    if (waiting) what(...waiting)
    waiting = null
  }
  return Object.assign(call, { flush })
}
