import { ChevronDown, Users } from 'lucide-react'
import { type ReactNode, type Ref, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatCoins } from '#web/core/format.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { useQuery } from '#web/core/queryClient.ts'
import { request } from '#web/core/api.ts'
import { useDebounced } from '#web/core/useDebounced.ts'
import { getBlocks, type Composer, type ComposerHandle } from '#web/conversations/composer/composer.tsx'
import { compareText } from '#web/text/compare/compare.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { toChatbot } from './state/comparisonStore.ts'
import type { ShownColumn } from './state/compareView.ts'

export type RenderComposer = (
  props: Parameters<typeof Composer>[0] & { ref: Ref<ComposerHandle> },
) => ReactNode

type Props = {
  composer: RefObject<ComposerHandle | null>
  conversationKey: string
  columns: readonly ShownColumn[]
  /** Model of the only column to be asked; null asks all columns. */
  target: string | null
  onTarget: (model: string | null) => void
  tools: readonly string[]
  ensureSession: () => Promise<string>
  /** Counts questions sent and examples put in; the field is read again after each. */
  changeCount: number
  children: ReactNode
}

/** The composer, with the recipients of the question above it and its estimated cost below. */
export function CompareComposer({
  composer,
  conversationKey,
  columns,
  target,
  onTarget,
  tools,
  ensureSession,
  changeCount,
  children,
}: Props) {
  const area = useRef<HTMLDivElement>(null)
  const question = useQuestion(area, composer, conversationKey, changeCount)
  const models = target === null ? columns.map(({ column }) => column.model) : [target]
  const targetName = columns.find(({ column }) => column.model === target)?.name
  return (
    <div ref={area}>
      {columns.length > 1 && (
        <div className="mb-1.5 flex">
          <Menu
            placement="top-start"
            items={[
              {
                label: compareText.askAll(columns.length),
                checked: target === null,
                onSelect: () => onTarget(null),
              },
              ...columns.map(({ column, name }) => ({
                label: compareText.askOne(name),
                checked: column.model === target,
                onSelect: () => onTarget(column.model),
              })),
            ]}
            trigger={(trigger) => (
              <Button
                {...trigger}
                size="sm"
                variant="ghost"
                aria-label={`${compareText.target}：${targetName ? compareText.askOne(targetName) : compareText.askAll(columns.length)}`}
                className={`-ml-1 gap-1.5! px-2! font-normal! ${target === null ? '' : 'bg-accent-soft! text-accent!'}`}
              >
                <Users size={14} aria-hidden />
                {targetName ? compareText.askOne(targetName) : compareText.askAll(columns.length)}
                <ChevronDown size={13} aria-hidden />
              </Button>
            )}
          />
        </div>
      )}
      {children}
      <Estimate {...{ models, tools, ensureSession, question }} />
    </div>
  )
}

type Question = { prompt: string; block: string }

/** The question in the composer. Its text lives in the element itself, so it is read again after events there. */
function useQuestion(
  area: RefObject<HTMLElement | null>,
  composer: RefObject<ComposerHandle | null>,
  conversationKey: string,
  changeCount: number,
): Question {
  const [question, setQuestion] = useState<Question>({ prompt: '', block: '' })
  const readQuestion = useEffectEvent(() => {
    const prompt = composer.current?.getQuestion() ?? ''
    const block = getBlocks(conversationKey).join()
    setQuestion((now) => (now.prompt === prompt && now.block === block ? now : { prompt, block }))
  })
  useEffect(() => {
    const element = area.current
    // Deferred until the event has had its effect.
    const onEvent = () => void setTimeout(readQuestion)
    const events = ['input', 'paste', 'click', 'keyup', 'focusin']
    for (const name of events) element?.addEventListener(name, onEvent)
    return () => {
      for (const name of events) element?.removeEventListener(name, onEvent)
    }
  }, [area])
  useEffect(() => void setTimeout(readQuestion), [changeCount])
  return question
}

/** Typing pause after which the estimate is requested. */
const PAUSE_MS = 500

type EstimateProps = {
  question: Question
  models: readonly string[]
  tools: readonly string[]
  ensureSession: () => Promise<string>
}

function Estimate({ question, models, tools, ensureSession }: EstimateProps) {
  const { prompt, block } = useDebounced(question, PAUSE_MS)
  const isAsked = prompt.trim() !== '' && models.length > 0
  const { data } = useQuery({
    queryKey: ['compare', 'estimate', prompt, block, models.join(), tools.join()],
    queryFn: async ({ signal }) => {
      const chatbot = toChatbot(await ensureSession())
      const body = { chatbot, prompt, models: [...models], tools: [...tools], ...(block ? { block } : {}) }
      return request('POST /api/compare/estimate', { body }, { signal })
    },
    enabled: isAsked,
    placeholderData: (before) => before,
  })
  const isCurrent = isAsked && question.prompt.trim() !== '' && data !== undefined
  return (
    <p className="flex min-h-8 flex-wrap items-center justify-center gap-x-3 py-1.5 text-center text-xs text-ink3 tabular-nums">
      {isCurrent ? (
        <>
          <span>
            {data.max_total === 0
              ? compareText.estimateFree
              : compareText.estimate(formatFineAmount(data.total), formatFineAmount(data.max_total))}
          </span>
          {data.missing > 0 && (
            <strong className="font-medium text-danger">
              {compareText.missing(formatCoins(data.missing))}
            </strong>
          )}
        </>
      ) : (
        compareText.disclaimer
      )}
    </p>
  )
}
