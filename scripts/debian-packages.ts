import { runProcess } from './run.ts'

/** A requirement of the tests, or the reason why it is missing. */
export type Provided = { value: string } | { reason: string }

/** Returns the value, for a program that cannot go on without it; throws the reason. */
export function requireProvided(provided: Provided): string {
  if ('value' in provided) return provided.value
  throw new Error(provided.reason)
}

// flock: apt's own lock on the package lists does not wait, and two test runs may start at the same time.
const INSTALL =
  'apt-get update -qq && apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"'

/** Installs packages of Debian where that is permitted. Returns the last line of the command's output. */
export async function installPackages(packages: readonly string[]): Promise<string> {
  console.log(`正在安装 Installing ${packages.join(' ')} …`)
  const install = ['flock', '/tmp/wenqu-apt.lock', 'sh', '-c', INSTALL, 'sh', ...packages]
  const [command = '', ...args] = process.getuid?.() === 0 ? install : ['sudo', '-n', ...install]
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { output } = await runProcess(command, args, { output: 'quiet', env })
  return output.trim().split('\n').at(-1) ?? ''
}
