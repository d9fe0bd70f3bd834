import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startWorld } from '#test/world/world.ts'

// Tests another client with the store that comes with the server: the AWS SDK uploads one file in slices, as the browser does,
// and the server must have the same bytes. `node bench/upload.ts [MB]`.

const FOLDER = fileURLToPath(new URL('peers/aws-sdk/', import.meta.url))
if (!existsSync(`${FOLDER}node_modules`)) {
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: FOLDER })
}

const megabytes = Number(process.argv[2] ?? 220)
const world = await startWorld({ env: { LOG_LEVEL: 'warn' } })
try {
  const email = 'bench@example.com'
  const client = await world.user(email)
  await world.db().execute(`UPDATE users SET level = 'pro-3' WHERE email = '${email}'`)
  const credential = await client.call('GET /api/cos/credential', {})
  // The SDK makes the same bytes from the same seed.
  const seed = randomBytes(1024 * 1024)
  const md5 = createHash('md5')
  for (let n = 0; n < megabytes; n++) md5.update(seed)
  const name = md5.digest('hex')
  const path = `file/2026/11/22/${name}.bin`
  const input = JSON.stringify({
    credential,
    endpoint: world.url + credential.endpoint,
    key: credential.prefix + path,
    megabytes,
    seed: seed.toString('base64'),
  })
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50)
  const before = process.memoryUsage.rss()
  const { stdout, status } = await run(input)
  clearInterval(watch)
  if (status !== 0) throw new Error('the AWS SDK failed')
  const { ms } = JSON.parse(stdout) as { ms: number }
  const started = performance.now()
  const { data } = await client.call('POST /api/block', {
    body: {
      md5: name,
      name: 'bench.bin',
      type: 'application/octet-stream',
      size: megabytes * 1024 * 1024,
      url: credential.base_url + credential.prefix + path,
      channel: 'bench',
    },
  })
  const checked = Math.round(performance.now() - started)
  const toMb = (bytes: number): number => Math.round(bytes / 1024 / 1024)
  console.log(
    `AWS SDK: ${megabytes} MB in slices of 50 MB in ${ms} ms; size and MD5 of ${data.name} verified in ${checked} ms; the server's memory rose by ${toMb(peak - before)} MB at most (${toMb(peak)} MB)`,
  )
} finally {
  await world.close()
}

/** Runs the client as a process of its own, so that the server's memory is measured alone. */
async function run(input: string): Promise<{ stdout: string; status: number | null }> {
  const child = spawn(process.execPath, [`${FOLDER}run.ts`], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  let stdout = ''
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()))
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { stdout, status }
}
