import { readdirSync, readFileSync } from 'node:fs'

// CPU time as Linux counts it, proc(5): utime, stime and those of ended children, in hundredths of a second.

type Times = { parent: number; own: number; children: number }

function readTimes(pid: number): Times {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const sum = (from: number): number => (Number(fields[from]) + Number(fields[from + 1])) / 100
  return { parent: Number(fields[1]), own: sum(11), children: sum(13) }
}

/** Returns the CPU seconds that a process has used so far, with all its threads. */
export const cpuSeconds = (pid: number): number => readTimes(pid).own

/** Returns the same for a process and all below it, ended ones included. */
export function treeCpuSeconds(root: number): number {
  const all = new Map<number, Times>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      all.set(Number(name), readTimes(Number(name)))
    } catch {
      // The process has ended meanwhile: its parent has its times.
    }
  }
  const isBelow = (pid: number): boolean => {
    if (pid === root) return true
    const parent = all.get(pid)?.parent
    return parent !== undefined && parent > 0 && isBelow(parent)
  }
  let total = 0
  for (const [pid, { own, children }] of all) if (isBelow(pid)) total += own + children
  return total
}

export const readParent = (pid: number): number => readTimes(pid).parent

/** Returns the CPU seconds that this machine has used so far, and its number of processors. */
export function machineCpuSeconds(): { busy: number; processors: number } {
  const lines = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = lines[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const processors = lines.filter((line) => /^cpu\d/.test(line)).length
  return { busy: (user + nice + system + irq + softirq) / 100, processors }
}
