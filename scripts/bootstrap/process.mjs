import { readFileSync } from 'node:fs'

/**
 * Returns when a process began, in Linux's ticks; 'unknown' for a living process elsewhere; undefined for a dead one. A pid alone
 * would be mistaken for its next user, which in a restarted container comes soon.
 */
export function birth(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The fields after the command's name, which may hold spaces and brackets: state is the 1st, start time the 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return signalReaches(pid) ? 'unknown' : undefined
  }
}

function signalReaches(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
