// Bar S3: JavaScript of the chat screen's first load, gzip: main and the Chat page with all their static imports.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildWeb, CHAT_ENTRIES, staticClosure } from './chat/build.ts'

const BAR_KB = 125

const { dir, manifest } = await buildWeb()
const files = await Promise.all(
  staticClosure(manifest, CHAT_ENTRIES).map(async ({ file }) => {
    const content = await readFile(join(dir, file))
    return { file, kB: content.length / 1000, gzip_kB: gzipSync(content, { level: 9 }).length / 1000 }
  }),
)
await rm(dir, { recursive: true })
const total = files.reduce((sum, { gzip_kB }) => sum + gzip_kB, 0)
console.table(
  files
    .sort((a, b) => b.gzip_kB - a.gzip_kB)
    .map(({ file, kB, gzip_kB }) => ({ file, kB: kB.toFixed(1), 'gzip kB': gzip_kB.toFixed(1) })),
)
console.log(`first load of the chat screen: ${total.toFixed(1)} kB gzip (bar S3: at most ${BAR_KB})`)
