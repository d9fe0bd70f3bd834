import {
  createImportRule,
  getEntryPoint,
  getFeature,
  getRoom,
  getSide,
  type Module,
  type Rule,
} from './module.ts'

const MAX_PAGE_LINES = 120
/** Rooms that every feature stands on. */
const GROUND = ['ui', 'core', 'text', 'styles']

const isWeb = (path: string): boolean => getSide(path) === 'web'
const isGround = (path: string): boolean => GROUND.includes(getRoom(path))
/** Tells whether a file puts the features together, as app.ts does on the server: pages and main.tsx. */
const isComposition = (path: string): boolean => getRoom(path) === 'pages' || /\.tsx?$/.test(getRoom(path))
const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path)

/** Requires that the web's ground imports no feature, and that only the web's start imports a page. */
export const webLayers = createImportRule((from, target) => {
  if (!isWeb(from) || !isWeb(target)) return undefined
  if (isGround(from) && !isGround(target)) {
    return `${from} imports ${target}: ${GROUND.join(', ')} are the ground of src/web and know no feature. Pass what it needs as an argument or as props, or move the file into its feature's folder.`
  }
  if (getRoom(target) === 'pages' && !isComposition(from)) {
    return `${from} imports ${target}: pages are made of features, never the other way round. Move the shared part into src/web/<feature>.`
  }
  return undefined
})

/**
 * Requires that another feature is entered by its entry point, <feature>/<feature>.ts(x), which also decides what is
 * loaded when. This holds for pages and main.tsx, too, where there is one. A feature that no other needs has none, and its pages
 * open its files: an entry point that lists the parts of every page would only be a second directory.
 */
export const webEntryPoints: Rule = (modules) => {
  const paths = new Set(modules.map(({ path }) => path))
  const findEntryPoint = (path: string): string | undefined =>
    ['.ts', '.tsx']
      .map((extension) => getEntryPoint(path) + extension)
      .find((candidate) => paths.has(candidate))
  return createImportRule((from, target) => {
    if (!isWeb(from) || !isWeb(target) || isTest(from) || getFeature(from) === getFeature(target))
      return undefined
    if (isGround(from) || isGround(target) || isComposition(target)) return undefined
    const entryPoint = findEntryPoint(target)
    if (target === entryPoint || (isComposition(from) && !entryPoint)) return undefined
    const advice = entryPoint
      ? `Export what you need from ${entryPoint} and import that`
      : `Create ${getEntryPoint(target)}.ts that exports what others need`
    return `${from} imports ${target}: a feature is entered by its entry point only. ${advice}; what is loaded later is exported there by lazyComponent() or lazyModule().`
  })(modules)
}

/** Keeps a page thin: it puts parts of its feature together. */
export const thinPages: Rule = (modules) =>
  modules
    .filter(({ path, lines }) => path.startsWith('src/web/pages/') && lines > MAX_PAGE_LINES)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines, a page at most ${MAX_PAGE_LINES}: move its parts into src/web/<feature> and leave the putting together here.`,
    )

/** Keeps zod out of the browser: no import that exists at run time leads to it from src/web. */
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

/** Follows only imports that leave the web: an imported file of the web has a report of its own. */
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

/** Requires that every word for people stands in src/web/text, where it can be found, checked and translated. */
export const wordsInText: Rule = (modules) =>
  modules.flatMap(({ path, jsxTexts }) =>
    jsxTexts
      .filter((text) => isWeb(path) && !isTest(path) && HAN.test(text))
      .map((text) => `${path} says ${text.trim()}: put it into src/web/text and name it there.`),
  )

/** Forbids Latin punctuation between Chinese characters, except in messages that the specification spells so. */
export const fullWidthPunctuation: Rule = (modules) =>
  modules
    .filter(({ path }) => path.startsWith('src/web/text/'))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(HALF_WIDTH), ([found]) => found)
        .filter((found) => !SPELLED_SO.some((message) => message.includes(found)))
        .map((found) => `${path} has ${found}: between Chinese characters write ，；：！？.`),
    )

const HAN = /\p{Script=Han}/u
const HALF_WIDTH = /\p{Script=Han}[,;:!?]\p{Script=Han}+/gu
/** From specification section 8; and two cells of a CSV file. */
const SPELLED_SO = ['复制成功,快去分享给好友吧!', '术语,译法']
