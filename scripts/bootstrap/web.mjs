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
/** Name of a file with the hash of the sources, inside the built web, so that both come into place in one step. */
const MARK = '.sources'
/** The sources' records in the file system when their hash was last the one in MARK. */
const STAMP = 'dist/web.stamp'
/** A file written this soon after a look at it may have kept its time. */
const CLOCK_STEP_MS = 2000

/** Tells whether dist/web was built from the present sources. Reads them only if one was written or moved. */
export function isWebBuilt(root) {
  const mark = textOf(join(root, BUILT, MARK))
  if (mark === undefined) return false
  const { records, changedAt } = recordsOf(root)
  const stamp = `${mark} ${records}`
  if (textOf(join(root, STAMP)) === stamp) return true
  if (mark !== hashOf(root)) return false
  if (changedAt < Date.now() - CLOCK_STEP_MS) keepStamp(root, stamp)
  return true
}

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Size, times and number of each source, hashed; every write to a file changes its ctime, even if its mtime is reset. */
function recordsOf(root) {
  const hash = createHash('sha256')
  let changedAt = 0
  for (const file of SOURCES.flatMap((source) => filesUnder(root, source))) {
    const { size, mtimeMs, ctimeMs, ino } = statSync(join(root, file))
    hash.update(`${file}\0${size} ${mtimeMs} ${ctimeMs} ${ino}\n`)
    changedAt = Math.max(changedAt, ctimeMs)
  }
  return { records: hash.digest('hex'), changedAt }
}

function keepStamp(root, stamp) {
  try {
    writeFileSync(join(root, STAMP), stamp)
  } catch {
    // Without a stamp, the next run reads the sources again.
  }
}

/** Builds the web in `work` and moves it to dist/web. Throws Unmet with the bundler's own words. */
export async function buildWeb(root, work) {
  console.log('正在构建网页 Building the web …')
  // The hash is taken before the build: an edit during the build makes the result stale.
  const hash = hashOf(root)
  const made = join(work, 'web')
  const { code, output } = await run(
    'vite',
    ['build', '--outDir', made, '--emptyOutDir', '--logLevel', 'warn'],
    // Tests and development may run this, too, but people load the result.
    { cwd: root, work, extra: { NODE_ENV: 'production' } },
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
  return readdirSync(full, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isFile() ? [`${path}/${entry.name}`] : filesUnder(root, `${path}/${entry.name}`),
    )
}
