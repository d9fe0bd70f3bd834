import type { Module, Rule } from './module.ts'

/** No import cycles, types included: two files that need each other's types belong together or need a third. */
export const noCycles: Rule = (modules) => {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (module: Module, path: string[]): void => {
    if (state.get(module.path) === 'done') return
    if (state.get(module.path) === 'open') {
      const cycle = [...path.slice(path.indexOf(module.path)), module.path].join(' → ')
      found.push(`Import cycle: ${cycle}. Move what both need into a file of its own that imports neither.`)
      return
    }
    state.set(module.path, 'open')
    for (const target of new Set(module.imports.map((each) => each.target))) {
      const next = byPath.get(target)
      if (next) visit(next, [...path, module.path])
    }
    state.set(module.path, 'done')
  }
  for (const module of modules) visit(module, [])
  return found
}
