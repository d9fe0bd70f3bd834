import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const children = new Set()

/** Marks a command, and all that it starts, as running in a folder. */
const WORK = 'WENQU_BOOTSTRAP_WORK'

/**
 * Runs a command quietly, with `extra` environment. Returns its exit code (null: not found, or killed) and its output. The output
 * goes to `work`, since npm goes round in circles when a pipe breaks, should this process be killed. killLeftBehind then finds
 * the command by its environment: a pid could be written down only after the start, and a kill between the two would leave the
 * command behind for good.
 */
export function run(command, args, { cwd, work, extra = {} }) {
  return new Promise((done) => {
    const outputFile = join(work, 'output')
    const output = openSync(outputFile, 'w')
    const env = { ...process.env, NO_COLOR: '1', ...extra, [WORK]: work }
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, output] })
    closeSync(output)
    children.add(child)
    child.on('error', (error) => done({ code: null, output: '', missing: error.code === 'ENOENT' }))
    child.on('close', (code) => {
      children.delete(child)
      done({ code, output: readFileSync(outputFile, 'utf8'), missing: false })
    })
  })
}

/** Ends all processes that a killed process had started in `work`, directly or not. Finds them on Linux only. */
export function killLeftBehind(work) {
  const processes = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  for (const pid of processes) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (environment.includes(`${WORK}=${work}`)) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // The process has ended, or is another user's.
    }
  }
}

/**
 * npm passes a signal only to the shell of its script, which dies and leaves this process behind: so this process watches for its
 * parent's death, and takes its own children with it.
 */
export function stopWithParent() {
  const parent = process.ppid
  const stop = () => {
    for (const child of children) child.kill('SIGKILL')
    process.exit(1)
  }
  setInterval(() => process.ppid === parent || stop(), 300).unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
}
