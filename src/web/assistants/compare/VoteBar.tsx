import { Trophy } from 'lucide-react'
import { useState } from 'react'
import { NONE, questionKinds, TIE, type QuestionKind } from '#contract/compare-limits.ts'
import type { Vote } from '#contract/compare/compare.ts'
import { ApiError, request } from '#web/core/api.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { notifySessionChange } from '#web/conversations/conversations.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { Button } from '#web/ui/Button.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { toast } from '#web/ui/toast.ts'
import { updateComparison } from './state/comparisonStore.ts'
import type { ShownColumn } from './state/compareView.ts'
import { scoreboardKey } from './state/scoreboardQuery.ts'

type Props = {
  id: string
  chat_id: string
  vote: Vote | undefined
  /** The columns whose answers are done. */
  columns: readonly ShownColumn[]
}

/** Asks which answer of the newest turn is the best, once at least two are done. */
export function VoteBar({ id, chat_id, vote, columns }: Props) {
  const [isVoting, setIsVoting] = useState(false)
  const save = async (winner: string, kind: QuestionKind | null) => {
    try {
      const savedVote = await request('POST /api/compare/votes', { body: { chat_id, winner, kind } })
      updateComparison(id, ({ votes }) => ({ votes: { ...votes, [chat_id]: savedVote.vote } }))
      setIsVoting(false)
      notifySessionChange(id)
      void queryClient.invalidateQueries({ queryKey: scoreboardKey })
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : compareText.voteFailed)
    }
  }
  const winner = columns.find(({ column }) => column.model === vote?.winner)
  return (
    <section
      aria-label={compareText.vote}
      className="flex shrink-0 items-center gap-2 overflow-x-auto border-t px-4 py-1.5 text-note [scrollbar-width:none]"
    >
      {vote && !isVoting ? (
        <>
          <p role="status" className="flex shrink-0 items-center gap-1.5 font-medium">
            <Trophy size={15} aria-hidden className="text-accent" />
            {vote.winner === TIE
              ? compareText.votedTie
              : vote.winner === NONE
                ? compareText.votedNone
                : compareText.voted(winner?.name ?? vote.winner)}
          </p>
          <label className="flex shrink-0 items-center gap-1.5 text-ink2">
            {compareText.kind}
            <Select
              value={vote.kind}
              onChange={({ target }) => void save(vote.winner, target.value as QuestionKind)}
              className="[&_select]:h-8 [&_select]:pl-2.5 [&_select]:text-note max-md:[&_select]:h-11"
            >
              {questionKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {compareText.kinds[kind]}
                </option>
              ))}
            </Select>
          </label>
          <Button size="sm" variant="ghost" onClick={() => setIsVoting(true)}>
            {compareText.voteAgain}
          </Button>
        </>
      ) : (
        <>
          <p className="shrink-0 text-ink2">{compareText.vote}</p>
          {columns.map(({ column, name }) => (
            <Button
              key={column.model}
              size="sm"
              aria-label={compareText.voteFor(name)}
              onClick={() => void save(column.model, vote?.kind ?? null)}
            >
              <span className="max-w-40 truncate">{name}</span>
            </Button>
          ))}
          <Button size="sm" variant="ghost" onClick={() => void save(TIE, vote?.kind ?? null)}>
            {compareText.tie}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => void save(NONE, vote?.kind ?? null)}>
            {compareText.none}
          </Button>
        </>
      )}
    </section>
  )
}
