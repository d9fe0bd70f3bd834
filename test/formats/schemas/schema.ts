import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An element that holds text, or elements that do: its name, 1 for text of its own, and the numbers of its children. */
type Element = [name: string, text: 0 | 1, children: number[]]
export type Schema = Element[]

/** Reads a reduced schema, which `bench/schemas` makes from the published one. */
export const readSchema = (name: string): Schema =>
  JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as Schema

/**
 * Lists a path to each place where the schema allows an element with text below one of these roots: the shortest path to its
 * parent, the element, and the shortest path on to an element with text of its own.
 */
export function listPaths(schema: Schema, root: string): string[][] {
  const start = schema.findIndex(([name]) => name === root)
  const ways = new Map<number, number[]>([[start, [start]]])
  const queue = [start]
  const paths: number[][] = []
  for (const parent of queue) {
    const way = ways.get(parent)!
    for (const child of schema[parent]![2]) {
      paths.push([...way, ...findText(schema, child)])
      if (ways.has(child)) continue
      ways.set(child, [...way, child])
      queue.push(child)
    }
  }
  const names = paths.map((path) => path.map((index) => schema[index]![0]))
  return [...new Map(names.map((path) => [path.join('/'), path])).values()]
}

/** Finds the shortest path from an element to one with text of its own. */
function findText(schema: Schema, start: number): number[] {
  const queue = [[start]]
  const known = new Set([start])
  for (const path of queue) {
    const element = path.at(-1)!
    if (schema[element]![1]) return path
    for (const child of schema[element]![2]) {
      if (known.has(child)) continue
      known.add(child)
      queue.push([...path, child])
    }
  }
  return [start]
}

/** The text that stands at a path. */
export const markOf = (index: number): string => `M${String(index).padStart(4, '0')}字`

/**
 * Writes one document with the text of every path. Elements that `isShared` are written once, others once a path; `open` writes
 * the first tag of an element.
 */
export function writePaths(
  paths: string[][],
  isShared: (name: string, depth: number) => boolean,
  open: (name: string, path: string[]) => string = (name) => `<${name}>`,
): string {
  type Node = { name: string; path: string[]; children: (Node | string)[] }
  const root: Node = { name: '', path: [], children: [] }
  for (const [index, path] of paths.entries()) {
    let parent = root
    for (const [depth, name] of path.entries()) {
      const last = parent.children.findLast((node) => typeof node !== 'string' && node.name === name)
      const node: Node = isShared(name, depth) && last ? (last as Node) : { name, path, children: [] }
      if (node !== last) parent.children.push(node)
      parent = node
    }
    parent.children.push(markOf(index))
  }
  const write = (node: Node | string): string =>
    typeof node === 'string'
      ? node
      : `${open(node.name, node.path)}${node.children.map(write).join('')}</${node.name}>`
  return root.children.map(write).join('')
}
