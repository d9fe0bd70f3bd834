import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { escapeHtml } from './escapeHtml.ts'

/** Returns the first word after the opening fence: ```` ```ts title="x" ```` is `ts`. */
export const parseLanguage = (info: string | undefined): string => info?.trim().split(/[\s{,]/, 1)[0] ?? ''

/** Returns a code block inside another block (list, quotation) as HTML. codeView.ts shows the top-level ones. */
export function renderCodeHtml(text: string, info: string | undefined): string {
  const lang = parseLanguage(info)
  return (
    `<div class="md-code"><div class="md-code-head"><span class="md-code-lang">${escapeHtml(lang || markdownText.code)}</span>` +
    `<button type="button" class="md-wrap" aria-pressed="false">${markdownText.wrap}</button>` +
    `<button type="button" class="md-copy">${chatText.copy}</button></div>` +
    `<pre tabindex="0"><code data-lang="${escapeHtml(lang)}">${escapeHtml(text)}</code></pre></div>`
  )
}
