import { RefreshCw } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { request } from '#web/core/api.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { useQuery } from '#web/core/queryClient.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '#web/ui/Button.tsx'
import { isSendKey } from '#web/ui/form/enterKey.ts'
import { Textarea } from '#web/ui/form/Textarea.tsx'
import { positionPopover } from '#web/ui/popover/popoverPosition.ts'
import { MAX_TONE_CHARS } from '../limits.ts'
import {
  cancelTranslation,
  describeFailure,
  followTranslation,
  startTranslation,
  type StartedTranslation,
} from './translateText.ts'

/** Tokens of a request beside its sentence, namely the rules for the model. */
const RULES_TOKENS = 200

type Props = {
  getAnchor: () => Element | null
  /** The source sentence; `sentence` is its translation. */
  source: string
  sentence: string
  target: TargetLanguage
  model: string | null
  tone: string
  onKeep: (sentence: string) => void
  onClose: () => void
}

/** Edits one translated sentence, or offers other translations of it. */
export function SentencePanel({ getAnchor, source, sentence, target, model, tone, onKeep, onClose }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState(sentence)
  const { alternatives, isPending, error, ask } = useAlternatives({ source, sentence, target, model, tone })
  const place = () => {
    const anchor = getAnchor()
    if (panel.current && anchor) positionPopover(panel.current, anchor, 'bottom-start')
  }
  useLayoutEffect(() => {
    panel.current?.showPopover()
    panel.current?.querySelector('textarea')?.focus()
  }, [])
  // The panel grows with added alternatives.
  useLayoutEffect(place)
  return (
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      aria-label={text.sentence}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      className="motion-rise fixed inset-auto m-0 max-h-[min(30rem,calc(100dvh-1rem))] w-[min(30rem,calc(100vw-1rem))] overflow-y-auto rounded-2xl border bg-raised p-4 text-ink shadow-soft"
    >
      <p className="mb-2 line-clamp-3 text-note text-ink2" dir="auto">
        {source}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onKeep(typed)
        }}
        className="flex flex-col gap-2.5"
      >
        <Textarea
          aria-label={text.sentence}
          enterKeyHint="enter"
          rows={2}
          value={typed}
          dir="auto"
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event.nativeEvent)) return
            event.preventDefault()
            onKeep(typed)
          }}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="ghost"
            size="sm"
            className="-ml-1.5 px-2!"
            pending={isPending}
            onClick={() => void ask()}
          >
            <RefreshCw size={15} aria-hidden />
            {text.alternative}
          </Button>
          <SentenceCost {...{ source, sentence, model }} />
          <div className="ml-auto flex gap-2">
            <Button size="sm" onClick={() => panel.current?.hidePopover()}>
              {uiText.cancel}
            </Button>
            <Button type="submit" size="sm" variant="primary" disabled={!typed.trim() || typed === sentence}>
              {text.keep}
            </Button>
          </div>
        </div>
      </form>
      {error && (
        <p role="alert" className="mt-2 text-note text-danger">
          {error}
        </p>
      )}
      {(isPending || alternatives.length > 0) && (
        <ul aria-label={text.alternatives} className="mt-3 flex flex-col gap-1 border-t pt-2">
          {alternatives.map((alternative) => (
            <li key={alternative}>
              <button
                type="button"
                aria-label={text.takeAlternative(alternative)}
                onClick={() => onKeep(alternative)}
                dir="auto"
                className="w-full rounded-lg px-2.5 py-1.5 text-left leading-6 transition-colors hover:bg-fill focus-visible:bg-fill max-md:min-h-11 dark:hover:bg-fill2"
              >
                {alternative}
              </button>
            </li>
          ))}
          {isPending && (
            <li className="animate-shimmer px-2.5 py-1.5 text-note text-ink2">{text.alternativePending}</li>
          )}
        </ul>
      )}
    </div>
  )
}

type AlternativesInput = Pick<Props, 'source' | 'sentence' | 'target' | 'model' | 'tone'>

/** Requests other translations of a sentence one by one. None is kept in the history. */
function useAlternatives({ source, sentence, target: targetLang, model, tone }: AlternativesInput) {
  const [alternatives, setAlternatives] = useState<string[]>([])
  const [isPending, setIsPending] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const ask = async () => {
    const controller = new AbortController()
    abort.current = controller
    setIsPending(true)
    setError(null)
    const knownSentences = [sentence, ...alternatives]
    const other = [tone, text.otherThan(knownSentences.at(-1) ?? '')].filter(Boolean).join('；')
    const settings = { model, target_lang: targetLang, tone: other.slice(0, MAX_TONE_CHARS) }
    let startedTranslation: StartedTranslation | undefined
    try {
      startedTranslation = await startTranslation({ prompt: source, ...settings, sess_id: null, fresh: true })
      const end = await followTranslation(startedTranslation, settings, () => {}, controller.signal)
      const result = end.result.trim()
      if (end.error) setError(end.error)
      else if (knownSentences.includes(result)) setError(text.alternativeSame)
      else setAlternatives([...alternatives, result])
    } catch (failure) {
      if (!controller.signal.aborted) setError(describeFailure(failure))
    } finally {
      if (startedTranslation) void forget(startedTranslation, controller.signal.aborted)
      if (!controller.signal.aborted) setIsPending(false)
    }
  }
  return { alternatives, isPending, error, ask }
}

/** Deletes the session of an alternative, after cancelling it if the panel was closed. */
async function forget({ chat_id, sess_id }: StartedTranslation, isAbandoned: boolean): Promise<void> {
  if (isAbandoned) await cancelTranslation(chat_id).catch(() => {})
  await request('DELETE /api/chat/session/{id}', { params: { id: sess_id } }).catch(() => {})
}

/** Shows the estimated cost of one more alternative; actual use is charged. */
function SentenceCost({ source, sentence, model }: Pick<Props, 'source' | 'sentence' | 'model'>) {
  const { data, isError } = useQuery({
    queryKey: ['costs', 'sentence', model, source.length, sentence.length],
    queryFn: async ({ signal }) => {
      const body = {
        model: model ?? '',
        input_tokens: RULES_TOKENS + source.length,
        output_tokens: sentence.length,
        times: 1,
      }
      const { costs } = await request('POST /api/token/costs', { body }, { signal })
      return Math.max(...costs.map(({ total }) => total))
    },
    enabled: model !== null,
    staleTime: 60_000,
  })
  return (
    <span className="text-xs text-ink3 tabular-nums">
      {data === undefined
        ? isError || model === null
          ? text.alternativeCostFailed
          : text.alternativeCostPending
        : text.alternativeCost(formatFineAmount(data))}
    </span>
  )
}
