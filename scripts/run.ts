import { spawn, type ChildProcess } from 'node:child_process'

export type CommandResult = { code: number; output: string }
export type RunOptions = {
  /** `quiet` collects the command's output, `shown` prints it. */
  output: 'quiet' | 'shown'
  env?: NodeJS.ProcessEnv
}

const children = new Set<ChildProcess>()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
    process.exit(1)
  })
}

/** Runs a command of node_modules/.bin or of the machine. A missing command ends with 127. */
export function runProcess(command: string, args: string[], options: RunOptions): Promise<CommandResult> {
  return new Promise((done) => {
    const piped = options.output === 'quiet' ? 'pipe' : 'inherit'
    const child = spawn(command, args, { stdio: ['ignore', piped, piped], env: options.env ?? process.env })
    children.add(child)
    let output = ''
    const gather = (bytes: Buffer): void => void (output += bytes.toString())
    child.stdout?.on('data', gather)
    child.stderr?.on('data', gather)
    child.on('error', (error) => done({ code: 127, output: error.message }))
    child.on('close', (code) => {
      children.delete(child)
      done({ code: code ?? 1, output })
    })
  })
}
