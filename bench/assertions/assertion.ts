import { globSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A text that another project's tests want in their reading of a file. */
export type Assertion = {
  /** Path of the file. */
  file: string
  text: string
  /** The text must not be there. */
  isAbsent?: boolean
  /** The text is a cell of a table: so many of them as are expected must be there. */
  isCell?: boolean
}

export type Repository = {
  name: string
  repository: string
  /** Folders to fetch of it. */
  folders: string[]
}

/** A project whose tests judge our readers. */
export type Project = Repository & {
  /** Lists what its tests want; `clone` is the folder of its repository. */
  list: (clone: string) => Assertion[]
  /** Texts that the product does not give by intention, or that only the project's own options or mistakes bring. */
  exclusions?: { file: RegExp; text?: RegExp; reason: string }[]
}

export type FileIndex = (name: string) => string | undefined

/** Finds files of these folders by the end of their path. */
export function indexFiles(clone: string, patterns: string[]): FileIndex {
  const paths = globSync(patterns.map((pattern) => join(clone, pattern)))
  const byName = Map.groupBy(paths, (path) => basename(path))
  return (name) => {
    const candidates = byName.get(basename(name)) ?? []
    return candidates.find((path) => path.endsWith(`/${name}`)) ?? candidates[0]
  }
}
