import { createImportRule, getFeature, getSide, type Rule } from './module.ts'

/** Checks one rule: contract imports only zod; server and web import contract, never each other. */
export const sides = createImportRule((from, target) => {
  const side = getSide(from)
  const to = getSide(target)
  if (side === 'contract' && to !== 'contract' && target !== 'zod') {
    return `${from} imports ${target}: the contract knows neither side and imports only zod and itself. Move what you need from there into src/contract, or what needs it out of src/contract.`
  }
  if (side === 'web' && to === 'server') {
    return `${from} imports ${target}: the web talks to the server only through calls of the contract. Add a call in src/contract/<feature>.ts and use request() from src/web/core/api.ts.`
  }
  if (side === 'server' && to === 'web') {
    return `${from} imports ${target}: the server knows nothing of the web. What both need (a type, a limit, a message) belongs into src/contract/<feature>.ts.`
  }
  if (side && /^(test|scripts|bench)\//.test(target)) {
    return `${from} imports ${target}: what runs in production never needs test, scripts or bench. Move the shared code under src.`
  }
  return undefined
})

/** Requires relative imports inside a feature; another feature is named from its side (CODE_STYLE.md). */
export const namedFeatures: Rule = (modules) =>
  modules.flatMap(({ path, imports }) =>
    imports
      .filter(({ target, is_relative }) => is_relative && isAnotherFeature(path, target))
      .map(
        ({ target }) =>
          `${path} reaches ${target} by dots: write '#${target.slice('src/'.length)}', so that the feature can be seen and the file moved.`,
      ),
  )

/** Tells whether two files lie in different features: the contract is one; so are the files beside the rooms of a side. */
function isAnotherFeature(path: string, target: string): boolean {
  const [side, other] = [getSide(path), getSide(target)]
  if (side !== other || side === 'contract') return side !== other
  const [feature, entered] = [getFeature(path), getFeature(target)]
  return feature !== entered && !(feature.includes('.') && entered.includes('.'))
}
