type Params = Readonly<Record<string, string>>
type Match<Route> = { route: Route; params: Params }
/** The match of a path: a route, the methods that the path has instead (as `Allow` lists them), or null. */
export type RouteMatch<Route> = Match<Route> | { allow: string } | null

type PathRoutes<Route> = { routes: Map<string, Match<Route>>; allow: string }

/**
 * Finds routes by method and path. Paths without parameters take one look-up; the few with `{name}` are tried after it. `{model}`
 * may hold slashes, as names of models do. A route of GET also answers HEAD.
 */
export function createRouter<Route>(entries: { method: string; path: string; route: Route }[]) {
  const exact = new Map<string, PathRoutes<Route>>()
  const patterns: { pattern: RegExp; at: PathRoutes<Route> }[] = []
  for (const [path, group] of Map.groupBy(entries, (entry) => entry.path)) {
    const routes = new Map(group.map(({ method, route }) => [method, { route, params: {} }]))
    const routeForGet = routes.get('GET')
    if (routeForGet) routes.set('HEAD', routeForGet)
    const at: PathRoutes<Route> = { routes, allow: [...routes.keys()].join(', ') }
    if (path.includes('{')) patterns.push({ pattern: toPattern(path), at })
    else exact.set(path, at)
  }

  const matchPattern = (method: string, path: string): RouteMatch<Route> => {
    for (const { pattern, at } of patterns) {
      const pathMatch = pattern.exec(path)
      if (!pathMatch) continue
      const match = at.routes.get(method)
      return match ? { ...match, params: { ...pathMatch.groups } } : { allow: at.allow }
    }
    return null
  }

  return (method: string, path: string): RouteMatch<Route> => {
    const at = exact.get(path)
    if (!at) return matchPattern(method, path)
    return at.routes.get(method) ?? { allow: at.allow }
  }
}

const toPattern = (path: string): RegExp => {
  const source = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'model' ? '(?<model>.*)' : `(?<${name}>[^/]+)`,
  )
  return new RegExp(`^${source}$`)
}
