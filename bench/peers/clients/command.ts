import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Runs a program to its end, without input; what it printed, on both channels. */
export async function runProgram(
  program: string,
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), 100_000)
  const exit = once(child, 'close') as Promise<[number | null]>
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  clearTimeout(timer)
  if (code !== 0) throw new Error(`exit ${code}: ${(errors + output).trim().slice(-250)}`)
  return output + errors
}
