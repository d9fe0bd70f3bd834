import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** CPU time of a test file, ms: its process and that process's children, without databases' servers. */
    cpu_ms?: number
  }
}

const MS_PER_TICK = 10

/** Vitest runs this before each file, and the function that `beforeAll` returns after everything else of the file. */
const startedAt_ms = readCpu()
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what is to be prepared: nothing is.
beforeAll(({}, suite) => () => {
  suite.file.meta.cpu_ms = readCpu() - startedAt_ms
})

function readCpu(): number {
  try {
    return readTree()
  } catch {
    // Outside Linux, where no /proc shows the others.
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

/** Returns the time of this process and of all below it, ended ones included: their parents' times contain theirs. */
function readTree(): number {
  const children = new Map<number, number[]>()
  const ticks = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined
    if (!stat) continue
    ticks.set(stat.pid, stat.ticks)
    children.set(stat.parent, [...(children.get(stat.parent) ?? []), stat.pid])
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + sum(child), ticks.get(pid) ?? 0)
  return sum(process.pid) * MS_PER_TICK
}

/** Fields of proc(5): the parent, utime, stime, cutime, cstime. Undefined for a process that has just ended. */
function readStat(pid: string): { pid: number; parent: number; ticks: number } | undefined {
  try {
    // The name in brackets may have blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    return { pid: Number(pid), parent, ticks: fields.slice(11, 15).reduce((sum, part) => sum + part, 0) }
  } catch {
    return undefined
  }
}
