/** The longest time that kept a main loop from its timers, milliseconds. */
export type LoopDelay = {
  /** By the clock, which includes other work on the same cores. */
  clock: number
  /** This thread's own CPU time. */
  cpu: number
}

const TICK_MS = 2

/** Watches this thread's loop until the returned function is called. */
export function watchLoop(): () => LoopDelay {
  const worst: LoopDelay = { clock: 0, cpu: 0 }
  const now = (): LoopDelay => {
    const { user, system } = process.threadCpuUsage()
    return { clock: performance.now(), cpu: (user + system) / 1000 }
  }
  let last = now()
  const timer = setInterval(() => {
    const next = now()
    worst.clock = Math.max(worst.clock, next.clock - last.clock - TICK_MS)
    worst.cpu = Math.max(worst.cpu, next.cpu - last.cpu)
    last = next
  }, TICK_MS)
  return () => {
    clearInterval(timer)
    return worst
  }
}

export const formatDelay = ({ clock, cpu }: LoopDelay): string =>
  `main loop kept for ${clock.toFixed(0)} ms at most, ${cpu.toFixed(0)} ms of it by its own work`
