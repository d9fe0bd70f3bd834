import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../world/template.ts'

test(
  'the server starts while its files are watched, as `npm run dev` starts it',
  { timeout: 180_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'wenqu-dev-'))
    const database = await createTestDatabase(dataDir)
    const server = spawn(process.execPath, ['--watch-path=config', 'src/server/main.ts'], {
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        ...(database ? { DATABASE_URL: database.url } : {}),
        PORT: '0',
        WENQU_OLLAMA: 'off',
        AGENTS_FILE: 'off',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const output of [server.stdout, server.stderr])
      output.on('data', (bytes: Buffer) => (said += bytes.toString()))
    try {
      await expect.poll(() => said, { timeout: 120_000 }).toMatch(/Wenqu is running|Failed running/)
      expect(said).toContain('Wenqu is running')
    } finally {
      server.kill()
      await once(server, 'close')
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)
