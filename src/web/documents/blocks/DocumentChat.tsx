import { Sparkles } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Block } from '#contract/blocks.ts'
import { useLatestConversation } from '#web/conversations/conversations.ts'
import { blocksText } from '#web/text/blocks.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { Button } from '#web/ui/Button.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { useSummary, writeSummary } from './queries.ts'

type ChatProps = {
  chatbot: string
  sess_id: string | null
  renderEmpty: (ask: (prompt: string) => void) => ReactNode
  onNew: () => void
  onFork: (sessId: string) => void
}

type Props = {
  block: Block
  /** Renders the conversation itself, which belongs to the chat; another `key` begins another one. */
  renderChat: (props: ChatProps, key: number) => ReactNode
}

/** The latest conversation about a document, or a new one. */
export function DocumentChat({ block, renderChat }: Props) {
  const chatbot = `block-${block.id}`
  const { isPending, key, sess_id, begin, open } = useLatestConversation(chatbot)
  return (
    <section aria-label={blocksText.chat} className="flex min-h-0 flex-1 flex-col">
      {isPending ? (
        <div className="flex flex-1 flex-col gap-3 p-4">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-4 w-3/4" />
        </div>
      ) : (
        renderChat(
          {
            chatbot,
            sess_id,
            onNew: begin,
            onFork: open,
            renderEmpty: (ask) => <Suggestions block={block} onChoose={ask} />,
          },
          key,
        )
      )}
    </section>
  )
}

type SuggestionsProps = { block: Block; onChoose: (prompt: string) => void }

/** The document's summary or an offer to write it, and questions that a click asks, which without it fit any document. */
function Suggestions({ block, onChoose }: SuggestionsProps) {
  const { data, isLoading } = useSummary(block)
  const prompts = data?.questions.length ? data.questions : blocksText.suggestions
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4 pb-4">
      <h2 className="mt-auto text-base font-semibold">
        {data?.summary ? blocksText.summary : blocksText.chatTitle}
      </h2>
      {isLoading && (
        <div aria-hidden className="mt-2 flex flex-col gap-2">
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-3/4" />
        </div>
      )}
      {data?.summary && (
        <>
          <p className="mt-1 leading-reading">{data.summary}</p>
          <p className="mt-1 text-xs text-ink3">{blocksText.summaryNote}</p>
        </>
      )}
      {data && data.cost !== null && <SummaryOffer block={block} cost={data.cost} />}
      <p className="mt-1 text-note text-ink2">{blocksText.chatHint}</p>
      <ul aria-label={blocksText.questions} aria-busy={isLoading} className="mt-4 flex flex-col gap-2">
        {prompts.map((prompt) => (
          <li key={prompt}>
            <button
              type="button"
              onClick={() => onChoose(prompt)}
              className="min-h-11 w-full rounded-xl border px-3.5 py-2 text-left transition-colors hover:border-line2 hover:bg-fill/60"
            >
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Has the summary written when it is asked for, since it is charged. `cost`: estimate in coins. */
function SummaryOffer({ block, cost }: { block: Block; cost: number }) {
  const [pending, setPending] = useState(false)
  const write = async () => {
    setPending(true)
    await withToast(() => writeSummary(block))
    setPending(false)
  }
  return (
    <div className="mt-2 mb-1 flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button size="sm" pending={pending} onClick={() => void write()}>
        <Sparkles size={15} aria-hidden />
        {pending
          ? blocksText.summaryWriting
          : blocksText.summaryWrite(cost > 0 ? formatFineAmount(cost) : null)}
      </Button>
      <span className="text-xs text-ink3">{blocksText.summaryOffer}</span>
    </div>
  )
}
