import type { Source } from './module.ts'

const PROJECT_PATH = /^(src|test|scripts|docs|config|migrations|bench|\.ci)\/[\w./-]*$/

/** Finds paths of the project that a document names in backticks, but that do not exist. `exists` answers for a path. */
export function findDeadPaths(documents: Source[], exists: (path: string) => boolean): string[] {
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`([^`\n]+)`/g)]
      .map(([, quoted = '']) => quoted)
      .filter((quoted) => PROJECT_PATH.test(quoted) && !exists(quoted))
      .map((quoted) => `${path} names \`${quoted}\`, which does not exist: correct the path, or remove it.`),
  )
}
