import type { Rule } from './module.ts'

const MAX_LINES = 400
const USUAL_LINES = 250
const USUAL_SHARE = 0.95

export const noAny: Rule = (modules) =>
  modules
    .filter(({ anyCount }) => anyCount > 0)
    .map(({ path }) => `${path} uses \`any\`: write the type, or \`unknown\` and look before you use it.`)

/** Names that say nothing of what is inside. */
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
