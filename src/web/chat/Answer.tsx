import { Copy, RotateCcw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { chatText } from '../text/chat.ts'
import { searchText } from '../text/search.ts'
import { copyText } from '../ui/copyText.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { AnswerEnd } from './AnswerEnd.tsx'
import { ForkButton } from './ForkButton.tsx'
import { PLACEHOLDER } from './limits.ts'
import { useLiveText } from './live.ts'
import { linkCitations } from './search/citations.ts'
import type { Turn } from './turns.ts'

// Asked for as soon as the chat is loaded, but not part of its first load.
const markdown = import('./markdown/Markdown.tsx')
const Markdown = lazy(() => markdown)
const Sources = lazy(() => import('./search/Sources.tsx'))

/** The answer, without a bubble: its text, how it ended, and what can be done with it. */
export function Answer({ turn, onRegenerate }: { turn: Turn; onRegenerate?: () => void }) {
  const text = useLiveText(turn.id, turn.text)
  const typing = turn.status === 'typing'
  const waiting = typing && text === PLACEHOLDER
  return (
    <article aria-label={chatText.answer} aria-busy={typing} className="py-3">
      {waiting ? (
        <p className="animate-shimmer text-[15px] leading-[1.8] text-ink2">
          {turn.search?.state === 'searching' ? searchText.searching : text}
        </p>
      ) : (
        <Suspense
          fallback={<p className="text-[15px] leading-[1.8] wrap-anywhere whitespace-pre-wrap">{text}</p>}
        >
          <div className={typing ? 'md-typing' : undefined}>
            <Markdown text={linkCitations(text, turn.search)} streaming={typing} />
          </div>
        </Suspense>
      )}
      {turn.search && (
        <Suspense>
          <Sources search={turn.search} />
        </Suspense>
      )}
      {!typing && (
        <>
          <AnswerEnd turn={turn} {...(onRegenerate ? { onRegenerate } : {})} />
          <div className="-ml-1.5 flex h-9 items-center gap-0.5 pt-1 max-md:h-11">
            {text && (
              <IconButton label={chatText.copyAnswer} size="sm" onClick={() => void copyText(text)}>
                <Copy size={16} aria-hidden />
              </IconButton>
            )}
            {onRegenerate && turn.status !== 'failed' && turn.status !== 'interrupted' && (
              <IconButton label={chatText.regenerate} size="sm" onClick={onRegenerate}>
                <RotateCcw size={16} aria-hidden />
              </IconButton>
            )}
            {!turn.local && <ForkButton turn={turn} />}
          </div>
        </>
      )}
    </article>
  )
}
