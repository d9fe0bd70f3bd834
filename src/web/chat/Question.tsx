import { Copy } from 'lucide-react'
import { chatText } from '../text/chat.ts'
import { copyText } from '../ui/copyText.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { FoldedText } from './paste/FoldedText.tsx'
import type { Turn } from './turns.ts'

/** What the person asked, as written, in a soft bubble on the right. */
export function Question({ turn }: { turn: Turn }) {
  return (
    <article aria-label={chatText.question} className="group flex justify-end gap-1 py-3">
      <IconButton
        label={chatText.copyQuestion}
        size="sm"
        onClick={() => void copyText(turn.text)}
        className="self-end opacity-0 transition-opacity group-hover:opacity-100 focus-visible:opacity-100 max-md:hidden"
      >
        <Copy size={15} aria-hidden />
      </IconButton>
      <div className="max-h-120 max-w-[85%] overflow-y-auto rounded-[18px] bg-fill px-4 py-2.5 text-[15px] leading-7 wrap-anywhere whitespace-pre-wrap">
        <FoldedText text={turn.text} />
      </div>
    </article>
  )
}
