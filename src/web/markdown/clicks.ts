import { openOwnUrl } from '#web/core/openUrl.ts'
import { isOwnUrl } from '#web/core/ownUrl.ts'
import { chatText } from '#web/text/chat.ts'
import { markdownText } from '#web/text/markdown.ts'
import { download } from '#web/ui/download.ts'
import { COPIED_MS, writeClipboard } from '#web/ui/clipboard.ts'
import { getTableCells, toCsv, toHtml, toTsv } from './tableExport.ts'

type Action = (button: HTMLButtonElement) => void | Promise<void>

/** Actions of the buttons inside rendered Markdown, by the button's class. */
const actions: Record<string, Action> = {
  'md-copy': async (button) => {
    const code = button.closest('.md-code')?.querySelector('code')?.textContent
    if (code && (await writeClipboard(code))) showCopied(button, chatText.copy)
  },
  'md-wrap': (button) => {
    const wrapped = button.closest('.md-code')?.classList.toggle('md-wrapped')
    button.ariaPressed = String(wrapped ?? false)
  },
  'md-unfold': (button) => {
    const folded = button.closest('.md-code')?.classList.toggle('md-folded') ?? false
    button.ariaExpanded = String(!folded)
    button.textContent = folded ? markdownText.unfold(Number(button.dataset.lines)) : markdownText.fold
    if (folded) button.closest('.md-code')?.scrollIntoView({ block: 'nearest' })
  },
  'md-source': (button) => {
    const source = button.closest('.md-code')?.classList.toggle('md-as-source') ?? false
    button.ariaPressed = String(source)
    button.textContent = source ? markdownText.picture : markdownText.source
  },
  'md-table-copy': async (button) => {
    const rows = getTableRows(button)
    if (await writeClipboard(toTsv(rows), toHtml(rows))) showCopied(button, markdownText.copyTable)
  },
  'md-table-csv': (button) =>
    download(new Blob([toCsv(getTableRows(button))], { type: 'text/csv' }), markdownText.csvName),
  'md-note-go': (button) => focusFootnote(button, '.md-note'),
  'md-note-back': (button) => focusFootnote(button, '.md-note-go'),
}

export function onMarkdownClick(event: MouseEvent): void {
  const citation = event.target instanceof Element ? event.target.closest('a.md-cite') : null
  const url = citation?.getAttribute('href') ?? ''
  if (isOwnUrl(url)) return openOwnUrl(event, url)
  const target = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button') : null
  if (!target) return
  void actions[target.className]?.(target)
}

/** Lets the button confirm for a second that it has copied. */
function showCopied(button: HTMLButtonElement, label: string): void {
  button.textContent = markdownText.copied
  setTimeout(() => {
    button.textContent = label
  }, COPIED_MS)
}

function getTableRows(button: HTMLButtonElement): string[][] {
  const table = button.closest('.md-table')?.querySelector('table')
  return table ? getTableCells(table) : []
}

/** Goes from a footnote's number to the footnote, or back. */
function focusFootnote(button: HTMLButtonElement, kind: string): void {
  const all = button.closest('.md')?.querySelectorAll<HTMLElement>(kind) ?? []
  const target = [...all].find((node) => node.dataset.note === button.dataset.note)
  target?.focus({ preventScroll: true })
  target?.scrollIntoView({ block: 'nearest' })
}
