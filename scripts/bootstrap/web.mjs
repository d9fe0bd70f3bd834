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
/** Which records of the file system the sources had when they were last found to be those of MARK. */
const STAMP = 'dist/web.stamp'
/** A file that is written again this soon after a look at it may have kept its time. */
const CLOCK_STEP_MS = 2000

/** Was dist/web built from the sources as they are now? They are read again only where one was written or moved. */
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

/** Size, times and number of each source; every write to a file changes its ctime, whatever is done to its mtime. */
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
    // A folder that may not be written to is looked through each time.
  }
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
    // Whoever starts this may be a test or in development: what is built here is what people load.
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
