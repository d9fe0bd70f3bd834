import { createImportRule, getRoom, getSide, type Module, type Rule } from './module.ts'

const MAX_PAGE_LINES = 120
const GROUND_ROOMS = ['ui', 'core', 'text', 'styles']

const isWeb = (path: string): boolean => getSide(path) === 'web'

/** The kit and the ground floor of the web know no feature, and nobody imports a page but the web's start. */
export const webLayers = createImportRule((from, target) => {
  if (!isWeb(from) || !isWeb(target)) return undefined
  const [room, other] = [getRoom(from), getRoom(target)]
  if (room === 'ui' && !GROUND_ROOMS.includes(other) && other !== 'theme.ts') {
    return `${from} imports ${target}: src/web/ui is the kit, it knows no feature. Pass what it needs as props, or move the component into its feature's folder.`
  }
  if (other === 'pages' && room !== 'pages' && !/^\w+\.tsx?$/.test(room)) {
    return `${from} imports ${target}: pages are made of features, never the other way round. Move the shared part into src/web/<feature>.`
  }
  return undefined
})

/** A page is thin: it puts parts of its feature together. */
export const thinPages: Rule = (modules) =>
  modules
    .filter(({ path, lines }) => path.startsWith('src/web/pages/') && lines > MAX_PAGE_LINES)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines, a page at most ${MAX_PAGE_LINES}: move its parts into src/web/<feature> and leave the putting together here.`,
    )

/** No schema code in the browser: zod is never reached from src/web by imports that exist at run time. */
export const noZodInWeb: Rule = (modules) => {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  return modules
    .filter(({ path }) => isWeb(path) && !/\.test\.tsx?$/.test(path))
    .flatMap((module) => {
      const path = findPathToZod(module, byPath)
      return path
        ? `${module.path} brings zod into the browser (${path.join(' → ')}). Use \`import type\`, or move the constant that you need into a file of src/contract that does not import zod.`
        : []
    })
}

/** The way out of the web only: what another file of the web imports is reported there. */
function findPathToZod(start: Module, byPath: Map<string, Module>): string[] | undefined {
  const seen = new Set<string>()
  const search = (path: string, way: string[]): string[] | undefined => {
    if (path === 'zod') return way
    if (seen.has(path)) return undefined
    seen.add(path)
    for (const { target, kind } of byPath.get(path)?.imports ?? []) {
      const found = kind === 'value' && !isWeb(target) && search(target, [...way, target])
      if (found) return found
    }
    return undefined
  }
  return search(start.path, [start.path])
}
