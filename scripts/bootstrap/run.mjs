import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const children = new Set()

/** Marks a command, and all that it starts, as one that runs in a folder. */
const WORK = 'WENQU_BOOTSTRAP_WORK'

/**
 * Runs a command quietly, with `extra` environment. Gives its exit code (null: not found, or killed) and all that it
 * printed. `work` keeps its output: npm goes round in circles when a pipe breaks, should this process be killed. By its
 * environment killLeftBehind finds it then: a pid could be written down only after it was started, and a kill between
 * the two would leave it behind for good.
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

/** Ends what a process that was killed had started in `work`, and what that started. On Linux: elsewhere it is not found. */
export function killLeftBehind(work) {
  const processes = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  for (const pid of processes) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      if (environment.includes(`${WORK}=${work}`)) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended, or is another user's.
    }
  }
}

/**
 * npm passes a signal to the shell of its script only, which dies and leaves this process behind: so it watches for
 * its parent's death, and takes its own children with it.
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
