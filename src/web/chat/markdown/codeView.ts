import { codeHtml } from './codeHtml.ts'
import { colour, coloursVersion } from './colours.ts'
import { mendCode } from './mend.ts'

/** A code block of its own in the page. `open`: its closing fence has not arrived. */
export type CodeView = { node: HTMLElement; lang: string; show: (code: string, open: boolean) => void }

/** Below this many characters an open block is coloured anew with every update. */
const SMALL = 300

/**
 * A code block with its language, a copy button (clicks.ts) and colours. While code grows, only its new end is plain:
 * colouring everything again at each update would cost more and more, so it waits until an eighth has been added.
 */
export function codeView(lang: string): CodeView {
  const template = document.createElement('template')
  template.innerHTML = codeHtml('', lang)
  const node = template.content.firstElementChild as HTMLElement
  const coloured = document.createElement('span')
  const rest = document.createTextNode('')
  node.querySelector('code')?.append(coloured, rest)
  let [chars, version] = [-1, -1]

  const show = (text: string, open: boolean) => {
    const code = open ? mendCode(text) : text
    const enough =
      code.length === chars || (open && code.length > Math.max(chars, SMALL) && code.length < chars * 1.125)
    if (!enough || version !== coloursVersion()) {
      coloured.innerHTML = colour(code, lang)
      chars = code.length
      version = coloursVersion()
    }
    rest.data = code.slice(chars)
  }
  return { node, lang, show }
}
