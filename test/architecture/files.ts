import type { Rule } from './module.ts'

const MAX_LINES = 400
const USUAL_LINES = 250
const USUAL_SHARE = 0.95
const MAX_FILES = 25
const MAX_DEPTH = 4

export const noAny: Rule = (modules) =>
  modules
    .filter(({ anyCount }) => anyCount > 0)
    .map(({ path }) => `${path} uses \`any\`: write the type, or \`unknown\` and look before you use it.`)

/** Forbids names that say nothing of the contents. */
export const descriptiveNames: Rule = (modules) =>
  modules
    .filter(({ path }) => /(^|\/)(utils?|helpers?|common)(\/|\.)|Manager|(^|\/)index\.tsx?$/i.test(path))
    .map(
      ({ path }) =>
        `${path}: the name does not say what is inside (no utils, helpers, common, Manager, index). Name the file by the one noun or verb that it is about.`,
    )

export const smallFiles: Rule = (modules) => {
  const tooLong = modules
    .filter(({ lines }) => lines > MAX_LINES)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines, the limit is ${MAX_LINES}: split it by noun or by verb.`,
    )
  const long = modules.filter(({ lines }) => lines > USUAL_LINES)
  if (long.length <= modules.length * (1 - USUAL_SHARE)) return tooLong
  const list = long.map(({ path, lines }) => `${path} (${lines})`).join(', ')
  return [
    ...tooLong,
    `${long.length} of ${modules.length} files have more than ${USUAL_LINES} lines, 5 % may: split some of ${list}.`,
  ]
}

/** Keeps folders easy to take in, and not deep. Tests beside their source do not count. */
export const smallFolders: Rule = (modules) => {
  const sources = modules.filter(({ path }) => path.startsWith('src/') && !/\.test\.tsx?$/.test(path))
  const folders = Map.groupBy(sources, ({ path }) => path.slice(0, path.lastIndexOf('/')))
  return [...folders].flatMap(([folder, files]) => [
    ...(files.length > MAX_FILES
      ? [
          `${folder} has ${files.length} files at one level, the limit is ${MAX_FILES}: give what belongs together a folder of its own.`,
        ]
      : []),
    ...(folder.split('/').length - 1 > MAX_DEPTH
      ? [`${folder} is more than ${MAX_DEPTH} folders below src: move it up, next to what uses it.`]
      : []),
  ])
}
