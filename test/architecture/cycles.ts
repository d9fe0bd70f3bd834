import { getFeature, getSide, type Module, type Rule } from './module.ts'

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

/** Allows no circle of rooms or features either: one that needs another must not be needed by it. */
export const noFolderCycles: Rule = (modules) => {
  const rooms = findFolderCycles(modules, (path) => path.split('/').slice(0, 3).join('/'))
  const features = findFolderCycles(modules, (path) => `src/${getSide(path)}/${getFeature(path)}`)
  return [...new Set([...rooms, ...features])]
}

function findFolderCycles(modules: Module[], getFolder: (path: string) => string): string[] {
  const paths = new Set(modules.map(({ path }) => path))
  /** folder → folder → one import that leads there */
  const graph = new Map<string, Map<string, string>>()
  for (const { path, imports } of modules) {
    if (/\.test\.tsx?$/.test(path)) continue
    for (const { target } of imports) {
      const [from, to] = [getFolder(path), getFolder(target)]
      const isForeignKey = path.endsWith('/tables.ts') && target.endsWith('/tables.ts')
      if (from === to || !paths.has(target) || getSide(path) !== getSide(target) || isForeignKey) continue
      const edges = graph.get(from) ?? new Map<string, string>()
      graph.set(from, edges.set(to, edges.get(to) ?? `${path} → ${target}`))
    }
  }
  const found: string[] = []
  const done = new Set<string>()
  const visit = (folder: string, way: string[]): void => {
    if (way.includes(folder)) {
      const circle = [...way.slice(way.indexOf(folder)), folder]
      const imports = circle.slice(1).map((to, i) => graph.get(circle[i] ?? '')?.get(to))
      found.push(
        `Circle of folders: ${circle.map((path) => path.split('/').slice(2).join('/')).join(' → ')} (${imports.join('; ')}). Let one of them be handed what it needs, or move that into a folder below both.`,
      )
      return
    }
    if (done.has(folder)) return
    for (const to of graph.get(folder)?.keys() ?? []) visit(to, [...way, folder])
    done.add(folder)
  }
  for (const folder of graph.keys()) visit(folder, [])
  return found
}
