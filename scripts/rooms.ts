import { globSync, readFileSync } from 'node:fs'
import { parseModule, getRoom, getSide, type Module } from '#test/architecture/module.ts'

// `node scripts/rooms.ts` prints files and lines of every folder, and folders that import each other in a circle.
// `node scripts/rooms.ts <file> …` prints, by folder, the files to open for reading these to the ground.

const paths = globSync('src/**/*.{ts,tsx}').filter((path) => !/\.test\.tsx?$/.test(path))
const modules = paths.map((path) => parseModule({ path, text: readFileSync(path, 'utf8') }))
const byPath = new Map(modules.map((module) => [module.path, module]))
const room = ({ path }: Module): string => `${getSide(path)}/${getRoom(path)}`

const entries = process.argv.slice(2)
if (entries.length) printReading(entries)
else printRooms()

function printRooms(): void {
  const rooms = [...Map.groupBy(modules, room)]
    .map(([name, files]) => ({ name, files: files.length, lines: sum(files.map(({ lines }) => lines)) }))
    .sort((a, b) => b.lines - a.lines)
  const bySide = Map.groupBy(rooms, ({ name }) => name.split('/')[0]!)
  for (const [side, list] of bySide) {
    const total = sum(list.map(({ lines }) => lines))
    console.log(`${side}: ${list.length} rooms, ${total} lines`)
    for (const { name, files, lines } of list) {
      console.log(`  ${name}: ${files} files, ${lines} lines, ${Math.round((100 * lines) / total)} %`)
    }
  }
  const folders = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf('/')))
  const [largest, files] = [...folders].sort(([, a], [, b]) => b.length - a.length)[0]!
  console.log(`largest folder: ${largest}, ${files.length} files at one level`)
  for (const circle of circles()) console.log(`circle: ${circle.join(', ')}`)
}

/** Returns groups of folders that can reach each other by imports (strongly connected; there should be none). */
function circles(): string[][] {
  const reach = new Map<string, Set<string>>()
  const imports = Map.groupBy(modules, room)
  const targets = (name: string): string[] =>
    (imports.get(name) ?? []).flatMap((module) =>
      module.imports.flatMap(({ target }) => {
        const next = byPath.get(target)
        return next && room(next) !== name ? [room(next)] : []
      }),
    )
  for (const name of imports.keys()) {
    const seen = new Set<string>()
    const open = targets(name)
    for (let next = open.pop(); next; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...targets(next))
    }
    reach.set(name, seen)
  }
  const inCircles = [...reach.keys()].filter((name) => reach.get(name)!.has(name))
  const groups = Map.groupBy(inCircles, (name) =>
    inCircles.filter((other) => reach.get(name)!.has(other) && reach.get(other)!.has(name)).join(', '),
  )
  return [...groups.values()]
}

/** Prints the files that these import, and their imports, down to the ground. */
function printReading(files: string[]): void {
  const seen = new Set<string>()
  const open = [...files]
  for (let next = open.pop(); next; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    open.push(
      ...(byPath.get(next)?.imports ?? []).map(({ target }) => target).filter((target) => byPath.has(target)),
    )
  }
  const found = [...seen].flatMap((path) => byPath.get(path) ?? [])
  for (const [name, group] of Map.groupBy(found, room)) console.log(`${name}: ${group.length}`)
  console.log(`all: ${found.length} files, ${sum(found.map(({ lines }) => lines))} lines`)
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
