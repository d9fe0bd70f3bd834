/** Parts that mermaid removes before it parses: front matter at the beginning, blank lines before the diagram, comments. */
const frontMatter = /^\s*---\n[\s\S]*?\n---[ \t]*(?:\n|$)/
const comment = /^\s*%%(?!\{)/

/** Returns the line of `code`, counted from 1, that a mermaid error points at; undefined if the error names none. */
export function findErrorLine(code: string, error: unknown): number | undefined {
  const named = /\bline:? (\d+)/i.exec(error instanceof Error ? error.message : '')?.[1]
  if (named === undefined) return undefined
  const skipped = frontMatter.exec(code)?.[0].split('\n').length ?? 1
  const read = code
    .split('\n')
    .map((text, i) => ({ text, line: i + 1 }))
    .slice(skipped - 1)
    .filter(({ text }) => !comment.test(text))
  const first = read.findIndex(({ text }) => text.trim())
  return read[first + Number(named) - 1]?.line ?? read.at(-1)?.line
}
