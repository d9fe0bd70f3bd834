import { posix } from 'node:path'
import { AppError } from '#server/core/app-error.ts'
import { getChildren, parseXml } from '../containers/xml.ts'
import type { XmlNode } from '../containers/xml.ts'
import type { Zip } from '../containers/zip.ts'

export type Relation = { type: string; target: string; external: boolean }

/** The parts of an Office file (ECMA-376) and how they refer to each other. */
export type OfficePackage = {
  /** Returns the tree of a part, or nothing where there is none. */
  parse(path: string | undefined): XmlNode | undefined
  read(path: string): Buffer | undefined
  /** Returns a part's relations by their ids; internal targets are paths from the archive's root. */
  relations(path: string): Map<string, Relation>
  /** Returns the first related part of a kind, e.g. `styles`. */
  related(path: string, kind: string): string | undefined
  /** Path of the part that the file begins with. */
  main: string
}

export function openPackage(zip: Zip, fallback: string): OfficePackage {
  const read = (path: string): Buffer | undefined => {
    const entry = zip.find(path)
    return entry ? zip.read(entry) : undefined
  }
  const parse = (path: string | undefined): XmlNode | undefined => {
    const bytes = path ? read(path) : undefined
    return bytes ? parseXml(bytes) : undefined
  }
  const relations = (path: string): Map<string, Relation> => {
    const { dir, base } = posix.parse(path)
    const root = parse(posix.join(dir, '_rels', `${base}.rels`))
    const relationsById = new Map<string, Relation>()
    for (const { attributes } of getChildren(getChildren(root)[0])) {
      const { Id = '', Type = '', Target = '', TargetMode } = attributes
      const external = TargetMode === 'External'
      const target = external ? Target : posix.join('/', Target.startsWith('/') ? '' : dir, Target).slice(1)
      relationsById.set(Id, { type: Type.replace(/.*\//, ''), target, external })
    }
    return relationsById
  }
  const related = (path: string, kind: string): string | undefined =>
    [...relations(path).values()].find(({ type, external }) => type === kind && !external)?.target
  const main = related('', 'officeDocument') ?? fallback
  if (!zip.find(main)) throw new AppError('document_damaged')
  return { parse, read, relations, related, main }
}
