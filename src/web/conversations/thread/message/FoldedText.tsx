import { use, useState } from 'react'
import { pasteText } from '#web/text/attachments.ts'
import { IsPrinted } from '../print/isPrinted.ts'
import { isLongText } from '#web/conversations/conversations.ts'

const PREVIEW_CHARS = 1500
const PREVIEW_LINES = 40

/** Shows a text as written; a very long one is folded after its beginning. */
export function FoldedText({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  if (use(IsPrinted) || !isLongText(text)) return text
  const lines = text.split('\n')
  return (
    <>
      {open ? text : `${lines.slice(0, PREVIEW_LINES).join('\n').slice(0, PREVIEW_CHARS)}…`}
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="mt-1 block min-h-8 rounded-lg text-note text-ink2 underline underline-offset-4 hover:text-ink max-md:min-h-11"
      >
        {open ? pasteText.less : pasteText.more(lines.length)}
      </button>
    </>
  )
}
