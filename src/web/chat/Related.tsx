import { useEffect } from 'react'
import { turnsText } from '../text/turns.ts'
import { relate } from './related.ts'
import type { Turn } from './turns.ts'

type Props = { turn: Turn; onAsk: (prompt: string) => void }

/** Questions that could follow the last answer; a click asks one. They are made when the answer is there. */
export function Related({ turn, onAsk }: Props) {
  const { id, sess_id, status, wants_related, related_prompts } = turn
  const missing = wants_related && status === 'done' && !related_prompts.length
  useEffect(() => {
    if (missing) void relate(sess_id, id)
  }, [missing, sess_id, id])
  if (!related_prompts.length) return null
  return (
    <ul aria-label={turnsText.relatedLabel} className="mt-2 flex flex-wrap gap-2">
      {related_prompts.map((prompt) => (
        <li key={prompt} className="max-w-full">
          <button
            type="button"
            onClick={() => onAsk(prompt)}
            className="min-h-9 max-w-full rounded-2xl border border-line2 px-3.5 py-1.5 text-left text-[13px] leading-5 wrap-anywhere transition-colors hover:bg-fill max-md:min-h-11"
          >
            {prompt}
          </button>
        </li>
      ))}
    </ul>
  )
}
