import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findFreePort } from '../world/free-port.ts'

const NEEDED = [
  'package.json',
  'package-lock.json',
  'src/server',
  'src/contract',
  'config',
  'migrations',
  'dist',
]

test(
  'the server starts where only its dependencies are installed, beside the built web',
  { timeout: 300_000 },
  async () => {
    const folder = await mkdtemp(join(process.env.TEST_FOLDER ?? tmpdir(), 'pruned-'))
    for (const name of NEEDED) await cp(name, join(folder, name), { recursive: true })
    const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', ['ci', ...options], { cwd: folder })
    const port = await findFreePort()
    const server = spawn(process.execPath, ['src/server/main.ts'], {
      cwd: folder,
      env: {
        ...process.env,
        DATABASE_URL: '',
        DATA_DIR: join(folder, 'data'),
        PORT: String(port),
        WENQU_OLLAMA: 'off',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const output of [server.stdout, server.stderr])
      output.on('data', (bytes: Buffer) => (said += bytes.toString()))
    try {
      await expect.poll(() => said, { timeout: 120_000 }).toMatch(/Wenqu is running|Error/)
      const page = await fetch(`http://localhost:${port}`)
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('问渠')])
    } finally {
      server.kill()
      await once(server, 'close')
      await rm(folder, { recursive: true, force: true })
    }
  },
)
