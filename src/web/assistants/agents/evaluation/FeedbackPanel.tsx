import { ThumbsDown, ThumbsUp } from 'lucide-react'
import type { FeedbackCounts } from '#contract/agents/agents.ts'
import { agentFormText } from '#web/text/agents/form.ts'
import { feedbackText } from '#web/text/messages.ts'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useFeedbackCounts } from '../queries.ts'

const text = agentFormText.feedback
type Reason = keyof FeedbackCounts['reasons']

/** Counts of the readers who liked the answers of an agent, and of the reasons of those who did not. */
export function FeedbackPanel({ agent }: { agent: string }) {
  const query = useFeedbackCounts(agent)
  return (
    <QueryView query={query} failed={text.failed} skeleton={<Skeleton className="h-10 w-28" />} compact>
      {({ all, recent, reasons }) => {
        const reasonCounts = (Object.entries(reasons) as [Reason, number][])
          .filter(([, count]) => count > 0)
          .toSorted(([, a], [, b]) => b - a)
        if (all.up + all.down === 0) return <p className="text-note text-ink3">{text.none}</p>
        return (
          <dl className="flex flex-col gap-2 text-note tabular-nums">
            <Ratings title={text.all} {...all} />
            <Ratings title={text.recent} {...recent} />
            {reasonCounts.length > 0 && (
              <div className="flex flex-wrap justify-between gap-x-3 gap-y-1">
                <dt className="text-ink2">{text.reasons}</dt>
                <dd className="flex flex-wrap gap-x-4">
                  {reasonCounts.map(([reason, count]) => (
                    <span key={reason}>
                      {feedbackText.reason[reason]} {count}
                    </span>
                  ))}
                </dd>
              </div>
            )}
          </dl>
        )
      }}
    </QueryView>
  )
}

function Ratings({ title, up, down }: { title: string; up: number; down: number }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-3 gap-y-1">
      <dt className="text-ink2">{title}</dt>
      <dd className="flex gap-4">
        <span className="inline-flex items-center gap-1.5">
          <ThumbsUp size={14} aria-hidden />
          {feedbackText.up} {up}
        </span>
        <span className="inline-flex items-center gap-1.5">
          <ThumbsDown size={14} aria-hidden />
          {feedbackText.down} {down}
        </span>
      </dd>
    </div>
  )
}
