import type { ChatMessage } from '#contract/chat.ts'
import { buildCallUrl, identity } from '#web/core/api.ts'
import { isWidget } from '#web/core/page.ts'
import { exportText } from '#web/text/export.ts'
import { toast } from '#web/ui/toast.ts'
import { writeSheet } from './picture/sheet.ts'
import './picture/sheet.css'
import './print.css'
import { loadTranscript, type Transcript } from './transcript.ts'

type Printable = {
  sess_id: string
  /** Those that are in the page. */
  messages: readonly ChatMessage[]
  /** There are older ones. */
  has_more: boolean
}

/** The paper, as long as it is printed. */
let paper: HTMLElement | null = null

/** Puts the conversation on paper, which the print alone shows. Resolves when formulas, colours and diagrams are drawn. */
function putOnPaper(transcript: Transcript): Promise<unknown> {
  paper?.remove()
  paper = document.createElement('div')
  paper.className = 'sheet printed'
  paper.dataset.sheet = ''
  document.body.append(paper)
  const written = writeSheet(paper, transcript)
  for (const details of paper.querySelectorAll('details')) details.open = true
  return written
}

/** Messages that are read while the browser waits to print. */
const MAX_READ = 1000
const PAGE_SIZE = 100

/**
 * The messages above those that are in the page. A browser that is about to print waits for nothing but what runs: for this
 * one question a request that blocks is right. What does not come is not printed.
 */
function readOlderMessages({ sess_id, messages, has_more }: Printable): ChatMessage[] {
  let older: ChatMessage[] = []
  for (let more = has_more && !isWidget(); more && older.length < MAX_READ;) {
    const before = (older[0] ?? messages[0])?.id
    const request = new XMLHttpRequest()
    const query = { sess_id, size: PAGE_SIZE, before }
    request.open('GET', buildCallUrl('GET /api/chat/messages', { query }), false)
    for (const [name, value] of Object.entries(identity.headers)) request.setRequestHeader(name, value)
    try {
      request.send()
      if (request.status !== 200) break
      const page = JSON.parse(request.responseText) as { messages: ChatMessage[]; has_more: boolean }
      older = [...page.messages, ...older]
      more = page.has_more && page.messages.length > 0
    } catch {
      break
    }
  }
  return older
}

/**
 * Makes a page print the conversation that it shows, all of it, until the returned function is called. The keyboard's Ctrl+P
 * waits until formulas and diagrams are drawn; the browser's own menu prints what is drawn at once.
 */
export function watchPrinting(getPrintable: () => Printable): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const createTranscript = ({ messages }: Printable): Transcript => ({
    title: document.title.split(' · ')[0] ?? exportText.untitled,
    session: null,
    messages,
  })
  const printAll = async () => {
    const shown = getPrintable()
    try {
      const transcript = shown.has_more
        ? await loadTranscript(shown.sess_id, { signal })
        : createTranscript(shown)
      await putOnPaper(transcript)
      print()
    } catch (error) {
      if (signal.aborted) return
      toast.error(error instanceof Error && error.message ? error.message : exportText.printFailed)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (
      !(event.ctrlKey || event.metaKey) ||
      event.shiftKey ||
      event.altKey ||
      event.key.toLowerCase() !== 'p'
    )
      return
    event.preventDefault()
    void printAll()
  }
  const onBeforePrint = () => {
    if (paper) return
    const shown = getPrintable()
    void putOnPaper(
      createTranscript({ ...shown, messages: [...readOlderMessages(shown), ...shown.messages] }),
    )
  }
  const onAfterPrint = () => {
    paper?.remove()
    paper = null
  }
  addEventListener('keydown', onKeyDown, { signal })
  addEventListener('beforeprint', onBeforePrint, { signal })
  addEventListener('afterprint', onAfterPrint, { signal })
  return () => {
    controller.abort()
    onAfterPrint()
  }
}
