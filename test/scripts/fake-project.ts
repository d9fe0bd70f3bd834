import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Stands in for npm: its packages are a `node` and a `vite` that copies one file. It records itself in npm-calls and its Node in
// npm-node, and while a file `hold` exists it hangs in the middle of its work.
const npm = (root: string): string => `#!/bin/sh
if [ "$1" = config ]; then echo http://registry.invalid/; exit; fi
echo $$ >> ${root}/npm-calls
${process.execPath} -p process.version > ${root}/npm-node
if [ -f ${root}/npm-error ]; then cat ${root}/npm-error >&2; exit 1; fi
mkdir -p node_modules/.bin
while [ -f ${root}/hold ]; do sleep 0.05; done
ln -s ${process.execPath} node_modules/.bin/node
cp ${root}/vite node_modules/.bin/vite
cp package-lock.json node_modules/.package-lock.json
`
const vite = (root: string): string => `#!/bin/sh
echo "$(basename "$3")" >> ${root}/vite-calls
if grep -q broken ${root}/src/web/main.tsx; then echo "main.tsx: unexpected token" >&2; exit 1; fi
mkdir -p "$3" && cp ${root}/src/web/main.tsx "$3/main.js"
`

/** A tiny project with the real scripts/bootstrap.mjs and a made-up npm. */
export class FakeProject {
  readonly root: string
  readonly started: ChildProcess[] = []

  constructor(root: string) {
    this.root = root
  }

  static async create(): Promise<FakeProject> {
    const project = new FakeProject(await mkdtemp(join(tmpdir(), 'wenqu-bootstrap-')))
    const { root } = project
    for (const folder of ['src/web', 'src/server/formats'])
      await mkdir(join(root, folder), { recursive: true })
    await mkdir(join(root, 'bin'))
    await mkdir(join(root, 'empty'))
    await cp('scripts/bootstrap', join(root, 'scripts/bootstrap'), { recursive: true })
    await cp('scripts/bootstrap.mjs', join(root, 'scripts/bootstrap.mjs'))
    await project.write('package.json', '{}')
    await project.lock({ 'node_modules/a': { version: '1.0.0' } })
    await project.write('src/web/main.tsx', 'first')
    await project.program('bin/npm', npm(root))
    await project.program('vite', vite(root))
    return project
  }

  write(path: string, text: string): Promise<void> {
    return writeFile(join(this.root, path), text)
  }

  delete(path: string): Promise<void> {
    return rm(join(this.root, path), { force: true })
  }

  lock(packages: Record<string, object>): Promise<void> {
    return this.write('package-lock.json', JSON.stringify({ packages: { '': {}, ...packages } }))
  }

  private async program(path: string, text: string): Promise<void> {
    await this.write(path, text)
    await chmod(join(this.root, path), 0o755)
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path))
  }

  /** Returns the file's lines; none when it is missing or empty. */
  lines(path: string): string[] {
    return this.has(path) ? readFileSync(join(this.root, path), 'utf8').split('\n').filter(Boolean) : []
  }

  /** Lists the files in the bootstrap's folder besides the number of its lock. */
  async leftovers(): Promise<string[]> {
    return (await readdir(join(this.root, '.bootstrap-lock'))).filter((name) => !/^\d+$/.test(name))
  }

  /**
   * Starts `bootstrap.mjs start`. `machine` is run before it, to make the process believe in another machine; `path` replaces the
   * folder of the made-up npm.
   */
  start({ machine = '', path = 'bin' } = {}): RunningProcess {
    const before = machine ? ['--import', `data:text/javascript,${encodeURIComponent(machine)}`] : []
    return this.spawn(process.execPath, [...before, 'scripts/bootstrap.mjs', 'start'], path)
  }

  spawn(command: string, args: string[], path = 'bin'): RunningProcess {
    // The machine's programs are only those that the made-up ones use: a real npm is not among them.
    const folders = path === 'bin' ? `${join(this.root, 'bin')}:/usr/bin:/bin` : join(this.root, path)
    const child = spawn(command, args, { cwd: this.root, env: { PATH: folders } })
    this.started.push(child)
    let output = ''
    child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
    child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()))
    const ended = new Promise<{ code: number | null; output: string }>((done) =>
      child.on('close', (code) => done({ code, output })),
    )
    return { child, ended, getOutput: () => output }
  }

  async remove(): Promise<void> {
    await this.delete('hold')
    for (const child of this.started) child.kill('SIGKILL')
    await rm(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

export type RunningProcess = {
  child: ChildProcess
  ended: Promise<{ code: number | null; output: string }>
  getOutput: () => string
}

/** Tells whether a process of this pid is running; an ended one that was not yet waited for is not. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z'
  } catch {
    return false
  }
}
