import { pages, type PageDefinition } from '#contract/pages.ts'
import type { Rule } from './module.ts'

const PAGE_FILE = /^src\/web\/pages\/(?:profile\/)?(\w+)\.tsx$/
const definitions = new Map(Object.entries<PageDefinition>(pages))

/** Requires that src/web/pages and the contract have the same pages, and that the contract types a page's props. */
export const pagesOfContract: Rule = (modules) =>
  modules.flatMap(({ path, text }) => {
    const name = PAGE_FILE.exec(path)?.[1]
    if (!name) return []
    if (!definitions.has(name)) {
      return `${path} is no page of src/contract/pages.ts: add it there, or move it into its feature's folder.`
    }
    const props = /export default function (\w+)\((.*?)\)[^)]*\{\n/s.exec(text)
    if (props?.[1] === name && (!props[2] || props[2].endsWith(`: PageProps<'${name}'>`))) return []
    return `${path} must export default function ${name}, without props or with PageProps<'${name}'> of src/contract/pages.ts.`
  })

/** `/models/${id}` is read up to `${`, and `/chat?sess_id=` up to `?`. */
const LINK = /(?:\bhref(?:=|: | = )\{?|\b(?:visit|assign)\(|\burl: )["'`](\/[^"'`?#$]*)/g
const paths = [...definitions.values()].flatMap((page) => page.paths)
const linkTargets = new Set(paths.map((path) => path.replace(/\{.*$/, '')))

/** Requires that links within the web lead to existing pages. */
export const linksToPages: Rule = (modules) =>
  modules
    .filter(({ path }) => path.startsWith('src/web/') && !/\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(LINK)]
        .map(([, target = '']) => target)
        .filter((target) => !target.startsWith('/api/') && !linkTargets.has(target))
        .map((target) => `${path} links to ${target}, which is no page of src/contract/pages.ts.`),
    )

const QUERY_LIBRARY = '@tanstack/react-query'
const QUERY_CLIENT = 'src/web/core/queryClient.ts'
const TEST_OF_CLIENT = 'src/web/core/queryClient.test.ts'

/** Forbids hooks of the library itself: without a provider of a client they would find none. */
export const boundQueries: Rule = (modules) =>
  modules
    .filter(
      ({ path, imports }) =>
        path !== QUERY_CLIENT &&
        path !== TEST_OF_CLIENT &&
        imports.some(({ target, kind }) => target === QUERY_LIBRARY && kind === 'value'),
    )
    .map(
      ({ path }) =>
        `${path} imports ${QUERY_LIBRARY}: take useQuery and its like from ${QUERY_CLIENT}, which binds them to the client.`,
    )
