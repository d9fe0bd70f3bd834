import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import { build } from 'vite'

export type Chunk = { file: string; src?: string; imports?: string[]; css?: string[] }
export type Build = { dir: string; manifest: Record<string, Chunk> }

/** Copies the real web, as shipped, into a temporary folder; builds it only where its sources have changed. */
export async function buildWeb(): Promise<Build> {
  execFileSync(process.execPath, ['scripts/bootstrap.mjs', 'start'], { stdio: 'inherit' })
  const dir = await mkdtemp(join(tmpdir(), 'wenqu-bench-'))
  await cp('dist/web', dir, { recursive: true })
  const manifest = JSON.parse(await readFile(join(dir, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  return { dir, manifest }
}

/** Builds the peer with a growing answer beside the web, as `prototype.js` and `prototype.css`. */
export async function buildPrototype({ dir }: Build): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [tailwindcss()],
    publicDir: false,
    build: {
      outDir: join(dir, 'prototype'),
      rollupOptions: {
        input: 'bench/peers/markdown/prototype.tsx',
        output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]' },
      },
    },
  })
}

/** Returns the chunks that a browser must load before the given entries run: their static imports, each once. */
export function staticClosure(manifest: Build['manifest'], entries: string[]): Chunk[] {
  const seen = new Set<string>()
  const walk = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const next of manifest[key]?.imports ?? []) walk(next)
  }
  for (const entry of entries) {
    if (!manifest[entry]) throw new Error(`${entry} is not in the manifest`)
    walk(entry)
  }
  return [...seen].flatMap((key) => manifest[key] ?? [])
}

export const CHAT_ENTRIES = ['src/web/main.tsx', 'src/web/pages/Chat.tsx']
