import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { birth } from './process.mjs'

const children = new Set()

/**
 * Runs a command quietly, with `extra` environment. Gives its exit code (null: not found, or killed) and all that it
 * printed. `work` keeps its output: npm goes round in circles when a pipe breaks, should this process be killed. And
 * its pid, by which killLeftBehind finds it then.
 */
export function run(command, args, { cwd, work, extra = {} }) {
  return new Promise((done) => {
    const outputFile = join(work, 'output')
    const output = openSync(outputFile, 'w')
    const env = { ...process.env, NO_COLOR: '1', ...extra }
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, output] })
    closeSync(output)
    if (child.pid)
      writeFileSync(join(work, 'child'), JSON.stringify({ pid: child.pid, born: birth(child.pid) }))
    children.add(child)
    child.on('error', (error) => done({ code: null, output: '', missing: error.code === 'ENOENT' }))
    child.on('close', (code) => {
      children.delete(child)
      done({ code, output: readFileSync(outputFile, 'utf8'), missing: false })
    })
  })
}

/** Ends the child of a process that was killed while it ran one in `work`. */
export function killLeftBehind(work) {
  try {
    const { pid, born } = JSON.parse(readFileSync(join(work, 'child'), 'utf8'))
    if (born !== undefined && born !== 'unknown' && birth(pid) === born) process.kill(pid, 'SIGKILL')
  } catch {
    // None was started, or it ended by itself.
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
