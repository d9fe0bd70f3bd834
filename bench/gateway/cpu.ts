import { readFileSync } from 'node:fs'

/** CPU seconds that a process has used so far, all its threads (Linux, proc(5): utime and stime in hundredths). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
