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

const PACKAGES = ['package.json', 'package-lock.json']
/** All builds by the names of their folders in dist, each with its configuration of Vite and everything that it may read. */
const BUILDS = {
  web: { config: 'vite.config.ts', sources: ['src/web', 'src/contract', ...PACKAGES] },
  reading: {
    config: 'vite.reading.config.ts',
    sources: ['src/server/formats', 'src/server/core', 'src/contract', ...PACKAGES],
  },
}
/** Name of a file with the hash of the sources, inside the built folder, so that both come into place in one step. */
const MARK = '.sources'
/** Path of the sources' records in the file system when their hash was last the one in MARK. */
const stampOf = (name) => join('dist', `${name}.stamp`)
/** A file written this soon after a look at it may have kept its time. */
const CLOCK_STEP_MS = 2000

/** Returns the names of the builds that are missing, or were made of other sources. Reads these only if one was written or moved. */
export const listStaleBuilds = (root) => Object.keys(BUILDS).filter((name) => !isBuilt(root, name))

function isBuilt(root, name) {
  const mark = textOf(join(root, 'dist', name, MARK))
  if (mark === undefined) return false
  const { records, changedAt } = recordsOf(root, name)
  const stamp = `${mark} ${records}`
  if (textOf(join(root, stampOf(name))) === stamp) return true
  if (mark !== hashOf(root, name)) return false
  if (changedAt < Date.now() - CLOCK_STEP_MS) keepStamp(root, name, stamp)
  return true
}

const listSources = (root, name) =>
  [BUILDS[name].config, ...BUILDS[name].sources].flatMap((source) => filesUnder(root, source))

function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Size, times and number of each source, hashed; every write to a file changes its ctime, even if its mtime is reset. */
function recordsOf(root, name) {
  const hash = createHash('sha256')
  let changedAt = 0
  for (const file of listSources(root, name)) {
    const { size, mtimeMs, ctimeMs, ino } = statSync(join(root, file))
    hash.update(`${file}\0${size} ${mtimeMs} ${ctimeMs} ${ino}\n`)
    changedAt = Math.max(changedAt, ctimeMs)
  }
  return { records: hash.digest('hex'), changedAt }
}

function keepStamp(root, name, stamp) {
  try {
    writeFileSync(join(root, stampOf(name)), stamp)
  } catch {
    // Without a stamp, the next run reads the sources again.
  }
}

/** Builds in `work` and moves the result into dist. Throws Unmet with the bundler's own words. */
export async function build(root, work, name) {
  if (name === 'web') console.log('正在构建网页 Building the web …')
  // The hash is taken before the build: an edit during the build makes the result stale.
  const hash = hashOf(root, name)
  const made = join(work, name)
  const { code, output } = await run(
    'vite',
    ['build', '--outDir', made, '--config', BUILDS[name].config, '--emptyOutDir', '--logLevel', 'warn'],
    // Tests and development may run this, too, but people load the result.
    { cwd: root, work, extra: { NODE_ENV: 'production' } },
  )
  if (code !== 0) throw knownCause(output) ?? failed(output, name)
  writeFileSync(join(made, MARK), hash)
  const place = join(root, 'dist', name)
  mkdirSync(join(root, 'dist'), { recursive: true })
  if (existsSync(place)) renameSync(place, join(work, `old-${name}`))
  renameSync(made, place)
}

function failed(output, name) {
  const words = stripVTControlCharacters(output)
    .replace(/^\s+at .*\n?/gm, '')
    .trim()
  return new Unmet(`${words}\n构建失败（${name}），原因见上。`, `Building (${name}) failed: see above.`)
}

function hashOf(root, name) {
  const hash = createHash('sha256')
  for (const file of listSources(root, name)) {
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
