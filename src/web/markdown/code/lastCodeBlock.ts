/** The last code block of an answer, without its fence and language; null when there is none. A block may still be open. */
export function getLastCodeBlock(markdown: string): string | null {
  let fence = ''
  let code: string[] = []
  let last: string | null = null
  for (const line of markdown.split('\n')) {
    const match = /^\s*(`{3,}|~{3,})(.*)$/.exec(line)
    const [sign = '', info = ''] = match?.slice(1) ?? []
    if (!fence && sign) {
      fence = sign
      code = []
    } else if (fence && sign.startsWith(fence) && !info.trim()) {
      last = code.join('\n')
      fence = ''
    } else if (fence) code.push(line)
  }
  return fence && code.length ? code.join('\n') : last
}
