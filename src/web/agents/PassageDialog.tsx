import { ExternalLink } from 'lucide-react'
import { describePlace } from '#web/blocks/blocks.ts'
import { Markdown } from '#web/markdown/markdown.tsx'
import { agentsText } from '#web/text/agents/agents.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { PassageRef } from './passageLink.ts'
import { usePassage } from './queries.ts'

type Props = { passage: PassageRef | null; onClose: () => void }

/** The passage of a source that an answer cites, as the index has it; its owner gets from there into the document. */
export function PassageDialog({ passage, onClose }: Props) {
  return (
    <Dialog open={passage !== null} onOpenChange={onClose} title={agentsText.passage} kind="wide">
      {passage && <PassageText passage={passage} />}
    </Dialog>
  )
}

function PassageText({ passage }: { passage: PassageRef }) {
  const query = usePassage(passage)
  return (
    <QueryView query={query} failed={agentsText.passageFailed} skeleton={<Skeleton className="h-24" />}>
      {({ name, place, text, url }) => (
        <>
          <p className="flex flex-wrap items-baseline gap-x-2 text-note text-ink2">
            <span className="font-medium wrap-anywhere text-ink">{name}</span>
            <span className="tabular-nums">{describePlace(place)}</span>
          </p>
          <blockquote className="max-h-[55dvh] overflow-auto rounded-xl bg-fill px-4 py-3">
            <Markdown text={text} streaming={false} />
          </blockquote>
          {url ? (
            <a
              href={url}
              className="inline-flex min-h-9 items-center gap-2 self-start rounded-lg text-note text-accent hover:underline max-md:min-h-11"
            >
              <ExternalLink size={15} aria-hidden />
              {agentsText.openSource}
            </a>
          ) : (
            <p className="text-note text-ink3">{agentsText.passageOnly}</p>
          )}
        </>
      )}
    </QueryView>
  )
}
