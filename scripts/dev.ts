import { spawn } from 'node:child_process'
import { createServer } from 'vite'

// `npm run dev`: a change of the server's files restarts it, the web changes in place. The page comes from the server, which
// links to Vite's address (VITE_DEV_URL) instead of the built files.

const vite = await createServer({ server: { port: 5173, host: '127.0.0.1' } })
await vite.listen()
const url = vite.resolvedUrls?.local[0]
if (!url) throw new Error('Vite listens, but gave no address')

const env = { ...process.env, VITE_DEV_URL: url.replace(/\/$/, '') }
const watched = ['src/server', 'src/contract', 'config'].map((folder) => `--watch-path=${folder}`)
const server = spawn('node', [...watched, '--watch-preserve-output', 'src/server/main.ts'], {
  stdio: 'inherit',
  env,
})

// Ctrl+C reaches the server by itself; a plain kill does not.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void (signal === 'SIGINT' || server.kill(signal)))
}
server.on('close', (code) => void vite.close().finally(() => process.exit(code ?? 0)))
