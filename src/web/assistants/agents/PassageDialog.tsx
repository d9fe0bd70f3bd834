import { ExternalLink } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { describePlace, DocumentPassage, useMarkedPassage } from '#web/documents/blocks/blocks.ts'
import { Markdown } from '#web/markdown/markdown.tsx'
import { agentsText } from '#web/text/agents/agents.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { SourceLines } from '#web/ui/water/Flow.tsx'
import { findCitedSentence } from './citedSentence.ts'
import type { PassageRef } from './passageLink.ts'
import { usePassage } from './queries.ts'

type Props = { passage: PassageRef | null; onClose: () => void }

/**
 * The passage of a source that an answer cites. Its owner sees it marked in the document, others the indexed text with the
 * sentence marked that the answer rests on.
 */
export function PassageDialog({ passage, onClose }: Props) {
  return (
    <Dialog open={passage !== null} onOpenChange={onClose} title={agentsText.passage} kind="wide">
      {passage && <PassageContent passage={passage} />}
    </Dialog>
  )
}

function PassageContent({ passage }: { passage: PassageRef }) {
  const query = usePassage(passage)
  return (
    <QueryView query={query} failed={agentsText.passageFailed} skeleton={<Skeleton className="h-24" />}>
      {({ block, name, place, text, outdated, url }) => (
        <>
          <p className="flex flex-wrap items-baseline gap-x-2 text-note text-ink2">
            <span className="font-medium wrap-anywhere text-ink">{name}</span>
            <span className="tabular-nums">{describePlace(place)}</span>
          </p>
          <SourceLines />
          {url ? (
            <>
              <div className="flex h-[62dvh] flex-col overflow-hidden rounded-xl border pt-2.5">
                <DocumentPassage id={block} url={url} />
              </div>
              <a
                href={url}
                className="inline-flex min-h-9 items-center gap-2 self-start rounded-lg text-note text-accent hover:underline max-md:min-h-11"
              >
                <ExternalLink size={15} aria-hidden />
                {agentsText.openSource}
              </a>
            </>
          ) : (
            <>
              <PassageText text={text} answer={passage.answer ?? ''} />
              <p className="text-note text-ink3">
                {outdated ? agentsText.passageOutdated : agentsText.passageOnly}
              </p>
            </>
          )}
        </>
      )}
    </QueryView>
  )
}

function PassageText({ text, answer }: { text: string; answer: string }) {
  const container = useRef<HTMLQuoteElement>(null)
  const target = useMemo(() => ({ text: findCitedSentence(answer, text) }), [answer, text])
  useMarkedPassage({
    container,
    text: target.text,
    target,
    onFound: ({ startContainer }) => startContainer.parentElement?.scrollIntoView({ block: 'nearest' }),
  })
  return (
    <blockquote ref={container} className="max-h-[55dvh] overflow-auto rounded-xl bg-fill px-4 py-3">
      <Markdown text={text} streaming={false} />
    </blockquote>
  )
}
