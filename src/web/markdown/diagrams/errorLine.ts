/** Parts that mermaid removes before it parses: front matter at the beginning, blank lines before the diagram, comments. */
const frontMatter = /^\s*---\n[\s\S]*?\n---[ \t]*(?:\n|$)/
const comment = /^\s*%%(?!\{)/

/** Returns the line of `code`, counted from 1, that a mermaid error points at; undefined if the error names none. */
export function findErrorLine(code: string, error: unknown): number | undefined {
  const lineNumber = /\bline:? (\d+)/i.exec(error instanceof Error ? error.message : '')?.[1]
  if (lineNumber === undefined) return undefined
  const firstLine = frontMatter.exec(code)?.[0].split('\n').length ?? 1
  const parsedLines = code
    .split('\n')
    .map((text, i) => ({ text, line: i + 1 }))
    .slice(firstLine - 1)
    .filter(({ text }) => !comment.test(text))
  const first = parsedLines.findIndex(({ text }) => text.trim())
  return parsedLines[first + Number(lineNumber) - 1]?.line ?? parsedLines.at(-1)?.line
}
