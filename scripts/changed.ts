import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { getFeature, parseModule, type Module } from '../test/architecture/module.ts'
import { FAULTS_OF_ROOMS } from '../test/faults/rooms.ts'
import { JOURNEYS_OF_ALL_PAGES, JOURNEYS_OF_PAGES } from '../test/journeys/pages.ts'

/** Files that all tests depend on. */
const GROUND =
  /^(package(-lock)?\.json|vitest\.config\.ts|vite\.config\.ts|migrations\/|test\/world\/|src\/server\/core\/(?!pages\/)|src\/server\/(main|start|run)\.ts)/
/** Files where all features of the server meet. A change that reaches them from a feature is tested by its tests. */
const MEETING_POINTS = /^(src\/server\/(features|parts|app|start|main)\.ts|test\/world\/)/
/** Files that every page is drawn with, though no page imports them. */
const FRAME_OF_PAGES = /^src\/web\/(main|appOptions|prerender)\.tsx$|^src\/web\/styles\//
/** Folders whose tests have another name. */
const TEST_FOLDERS: Record<string, string> = { general: 'chat', models: 'admin' }

/** src/server/accounts/keys/x.ts → keys */
const getName = (path: string): string => getFeature(path).split('/').at(-1) ?? ''

const isTest = (path: string): boolean => /\.(test\.tsx?|journey\.ts)$/.test(path)

/** Returns the files that differ from the last commit; without any, the files that the last commit changed. */
export function listChangedFiles(): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  const uncommitted = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
  return uncommitted.length ? uncommitted : git('diff', '--name-only', 'HEAD~1', 'HEAD')
}

/** Returns the paths of the tests that the changed files can reach; `all` for changes that all tests depend on. */
export function findTestsOf(changed: readonly string[], modules = readModules()): string[] | 'all' {
  if (changed.some((path) => GROUND.test(path))) return 'all'
  const importers = mapImporters(modules)
  const reached = findImporters(importers, changed)
  const features = new Set([...reached].filter((path) => path.startsWith('src/server/')).map(getName))
  // A feature has the same name on both sides: pages show what the server's of their name does.
  const shown = modules.filter(({ path }) => path.startsWith('src/web/') && features.has(getName(path)))
  const pages = new Set(
    [
      ...reached,
      ...findImporters(
        importers,
        shown.map(({ path }) => path),
      ),
    ].flatMap((path) => /^src\/web\/pages\/(?:profile\/)?(\w+)\.tsx$/.exec(path)?.[1] ?? []),
  )
  const isFrame = [...reached].some((path) => FRAME_OF_PAGES.test(path))
  const journeys = Object.entries(JOURNEYS_OF_PAGES)
    .filter(([page]) => isFrame || pages.has(page))
    .flatMap(([, folders]) => [...folders, ...JOURNEYS_OF_ALL_PAGES])
  const folders = new Set([
    'test/architecture/',
    ...[...features].map((feature) => `test/${TEST_FOLDERS[feature] ?? feature}/`),
    ...journeys.map((folder) => `test/journeys/${folder}`),
    ...[...features]
      .flatMap((feature) => FAULTS_OF_ROOMS[feature] ?? [])
      .map((name) => `test/faults/${name}.`),
    ...(changed.some((path) => /^(scripts|config|bench)\//.test(path))
      ? ['test/scripts/', 'test/admin/']
      : []),
  ])
  return modules
    .map(({ path }) => path)
    .filter((path) => isTest(path) && existsSync(path))
    .filter((path) => reached.has(path) || [...folders].some((folder) => path.startsWith(folder)))
}

export const readModules = (): Module[] =>
  globSync('{src,test,scripts,bench}/**/*.{ts,tsx,mjs}', { exclude: ['bench/peers/**'] }).map((path) =>
    parseModule({ path, text: readFileSync(path, 'utf8') }),
  )

function mapImporters(modules: readonly Module[]): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const { path, imports } of modules)
    for (const { target } of imports) importers.set(target, [...(importers.get(target) ?? []), path])
  return importers
}

/** Returns the files and all their direct and indirect importers, except importers of a meeting point. */
function findImporters(importers: ReadonlyMap<string, string[]>, paths: readonly string[]): Set<string> {
  const found = new Set(paths)
  for (const path of found)
    if (!MEETING_POINTS.test(path)) for (const importer of importers.get(path) ?? []) found.add(importer)
  return found
}
