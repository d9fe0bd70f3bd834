import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { run } from './run.mjs'
import { knownCause, Unmet } from './unmet-requirement.mjs'

const SOURCES = ['src/web', 'src/contract', 'vite.config.ts', 'package.json', 'package-lock.json']
const BUILT = 'dist/web'
/** Lies inside the built web, so that both come into place in one step. */
const MARK = '.sources'

/** Was dist/web built from the sources as they are now? */
export function isWebBuilt(root) {
  const mark = join(root, BUILT, MARK)
  return existsSync(mark) && readFileSync(mark, 'utf8') === hashOf(root)
}

/** Builds the web in `work` and moves it to dist/web. Throws Unmet with the bundler's own words. */
export async function buildWeb(root, work) {
  console.log('正在构建网页 Building the web …')
  // Taken before the build: what is edited during it makes the result stale.
  const hash = hashOf(root)
  const made = join(work, 'web')
  const { code, output } = await run(
    'vite',
    ['build', '--outDir', made, '--emptyOutDir', '--logLevel', 'warn'],
    { cwd: root, work },
  )
  if (code !== 0) throw knownCause(output) ?? failed(output)
  writeFileSync(join(made, MARK), hash)
  const place = join(root, BUILT)
  mkdirSync(join(root, 'dist'), { recursive: true })
  if (existsSync(place)) renameSync(place, join(work, 'old-web'))
  renameSync(made, place)
}

function failed(output) {
  const words = stripVTControlCharacters(output)
    .replace(/^\s+at .*\n?/gm, '')
    .trim()
  return new Unmet(`${words}\n网页构建失败，原因见上。`, 'Building the web failed: see above.')
}

function hashOf(root) {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((source) => filesUnder(root, source))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesUnder(root, path) {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesUnder(root, `${path}/${name}`))
}
