import { useEffect } from 'react'
import { messagesText } from '#web/text/messages.ts'
import { requestRelatedPrompts, type Message } from '#web/conversations/conversations.ts'

type Props = { message: Message; onAsk: (prompt: string) => void }

/** Offers follow-up questions to the last answer; a click asks one. They are generated once the answer is complete. */
export function RelatedPrompts({ message, onAsk }: Props) {
  const { id, sess_id, status, wants_related, related_prompts } = message
  const isMissing = wants_related && status === 'done' && !related_prompts.length
  useEffect(() => {
    if (isMissing) void requestRelatedPrompts(sess_id, id)
  }, [isMissing, sess_id, id])
  if (!related_prompts.length) return null
  return (
    <ul aria-label={messagesText.relatedLabel} className="mt-2 flex flex-wrap gap-2">
      {related_prompts.map((prompt) => (
        <li key={prompt} className="max-w-full">
          <button
            type="button"
            onClick={() => onAsk(prompt)}
            className="min-h-9 max-w-full rounded-2xl border border-line2 px-3.5 py-1.5 text-left text-note leading-5 wrap-anywhere transition-colors hover:bg-fill max-md:min-h-11"
          >
            {prompt}
          </button>
        </li>
      ))}
    </ul>
  )
}
