import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { findFreePort } from '../test/world/free-port.ts'
import { installPackages, type Provided } from './debian-packages.ts'

/**
 * Returns the address of a PostgreSQL: DATABASE_URL, or a server for this process alone, made of programs of the machine or from
 * Debian's packages where that is permitted.
 */
export async function providePostgres(): Promise<Provided> {
  const { DATABASE_URL: url } = process.env
  if (url) {
    const reason = await findReasonUnreachable(url)
    return reason ? { reason: `DATABASE_URL cannot be reached: ${reason}` } : { value: url }
  }
  let programs = findPrograms()
  if (!programs) {
    const reason = await installPackages(['postgresql'])
    programs = findPrograms()
    if (!programs) return { reason: `no PostgreSQL: apt install postgresql, or set DATABASE_URL (${reason})` }
  }
  return startPostgres(programs)
}

const findPrograms = (): string | undefined => {
  const [newest] = globSync('/usr/lib/postgresql/*/bin/initdb').sort().reverse()
  return newest && dirname(newest)
}

/**
 * Starts a server in a private folder, on a free port; it ends with this process. It need not survive a power cut: the tests only
 * kill programs.
 */
async function startPostgres(programs: string): Promise<Provided> {
  const folder = mkdtempSync(join(tmpdir(), 'wenqu-postgres-'))
  const data = join(folder, 'data')
  const run = (program: string, ...args: string[]) => {
    const command = [join(programs, program), '-D', data, ...args]
    // PostgreSQL refuses to run as root.
    const [name = '', ...rest] =
      process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--', ...command] : command
    return spawnSync(name, rest, { cwd: '/', encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  }
  // The server must stop before another handler removes the folder around this one.
  process.prependOnceListener('exit', () => {
    run('pg_ctl', '-m', 'immediate', 'stop')
    rmSync(folder, { recursive: true, force: true })
  })
  // The server's user is not the one that made the folder.
  chmodSync(folder, 0o777)
  const made = run('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8')
  if (made.status !== 0) return { reason: `initdb: ${made.stderr.trim()}` }
  const settings = 'fsync=off full_page_writes=off max_connections=300 listen_addresses=127.0.0.1'
    .split(' ')
    .map((setting) => `-c ${setting}`)
    .join(' ')
  let problem = ''
  // Another process may take the port in between.
  for (let attempt = 0; attempt < 3; attempt++) {
    const port = await findFreePort()
    const options = `-p ${port} -c unix_socket_directories=${folder} ${settings}`
    const { status, stderr } = run('pg_ctl', '-w', '-l', join(data, 'log'), '-o', options, 'start')
    if (status === 0) return { value: `postgres://postgres@127.0.0.1:${port}/postgres` }
    problem = stderr.trim()
  }
  return { reason: `PostgreSQL does not start: ${problem}` }
}

async function findReasonUnreachable(connectionString: string): Promise<string | undefined> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    await client.query('select 1')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}
