import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the server starts while its files are watched, as `npm run dev` starts it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'wenqu-dev-'))
  const server = spawn(process.execPath, ['--watch-path=config', 'src/server/main.ts'], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', PORT: '0', WENQU_OLLAMA: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [server.stdout, server.stderr])
    output.on('data', (bytes: Buffer) => (said += bytes.toString()))
  try {
    await expect.poll(() => said).toMatch(/Wenqu is running|Failed running/)
    expect(said).toContain('Wenqu is running')
  } finally {
    server.kill()
    await once(server, 'close')
    await rm(dataDir, { recursive: true, force: true })
  }
})
