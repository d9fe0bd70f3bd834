import { chatText } from '../../text/chat.ts'
import { readingText } from '../../text/reading.ts'
import { escapeHtml } from './escape.ts'

/** The word after the opening fence: ```` ```ts title="x" ```` is `ts`. */
export const languageOf = (info: string | undefined): string => info?.trim().split(/[\s{,]/, 1)[0] ?? ''

/** A code block inside another block (list, quotation), as HTML; on its own level it is part of codeView.ts. */
export function codeHtml(text: string, info: string | undefined): string {
  const lang = languageOf(info)
  return (
    `<div class="md-code"><div class="md-code-head"><span class="md-code-lang">${escapeHtml(lang || chatText.code)}</span>` +
    `<button type="button" class="md-wrap" aria-pressed="false">${readingText.wrap}</button>` +
    `<button type="button" class="md-copy">${chatText.copy}</button></div>` +
    `<pre tabindex="0"><code data-lang="${escapeHtml(lang)}">${escapeHtml(text)}</code></pre></div>`
  )
}
