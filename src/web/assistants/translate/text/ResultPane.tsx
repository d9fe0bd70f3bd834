import { clsx } from 'clsx'
import { Check, Copy, RefreshCw, ThumbsUp } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { translateMessages } from '#contract/translate/messages.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { COPIED_MS, writeClipboard } from '#web/ui/clipboard.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { RechargeLink } from '#web/ui/RechargeLink.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'
import { ReadTextButton } from '#web/conversations/voice/voice.ts'
import { cutSpans, type SentencePair } from './alignSentences.ts'
import { SentencePanel } from './SentencePanel.tsx'
import { paneTextClass } from './SourcePane.tsx'
import { setLiked, setResult, type TextTranslation } from './textStore.ts'

type Props = {
  translation: TextTranslation
  pairs: readonly SentencePair[]
  active: number | null
  onActive: (pair: number | null) => void
  target: TargetLanguage
  model: string | null
  tone: string
  read_aloud: boolean
  onTranslate: () => void
  /** Asks the model although the translation is already known. */
  onTranslateAgain: () => void
}

/** Shows the growing translation, then its sentences. A click on a sentence edits it or asks for alternatives. */
export function ResultPane({ translation, pairs, active, onActive, target, ...settings }: Props) {
  const { result, translated, status, error, shortage, chat_id, from_memory, liked } = translation
  const { model, tone, read_aloud, onTranslate, onTranslateAgain } = settings
  const [openIndex, setOpenIndex] = useState<number | null>(null)
  const sentences = useRef<HTMLDivElement>(null)
  const isTyping = status === 'typing'
  const pair = openIndex === null ? undefined : pairs[openIndex]
  const close = () => {
    sentences.current?.querySelector<HTMLElement>(`[data-result="${openIndex}"]`)?.focus()
    setOpenIndex(null)
  }
  const keep = (sentence: string) => {
    if (!pair) return
    const { start, end } = pair.result
    const changedResult = result.slice(0, start) + sentence + result.slice(end)
    setResult(changedResult)
    close()
  }
  return (
    <div className="flex min-w-0 flex-col bg-fill/45 max-md:border-t md:border-l">
      <div
        ref={sentences}
        role="group"
        aria-label={text.result}
        aria-busy={isTyping}
        lang={target}
        dir="auto"
        className={`${paneTextClass} min-h-44 flex-1 md:min-h-[max(20rem,calc(100dvh-17rem))]`}
      >
        {result === '' && !error && (
          <p lang="zh-CN" className={isTyping ? 'animate-shimmer text-ink2' : 'text-ink3'}>
            {isTyping ? translateMessages.translating : text.resultEmpty}
          </p>
        )}
        <Sentences {...{ result, pairs, active, onActive }} onOpen={setOpenIndex} />
        {error && (
          <div role="alert" lang="zh-CN" className="mt-2 text-sm text-danger">
            {error}
            {error === translateMessages.signed_out && <SignInLink size="sm" className="ml-3" />}
            {shortage && (
              <RechargeLink
                id="translate"
                neededCoins={shortage.needed}
                onAffordable={onTranslate}
                size="sm"
                className="ml-3"
              >
                {text.recharge}
              </RechargeLink>
            )}
          </div>
        )}
      </div>
      {from_memory && !isTyping && (
        <p className="flex flex-wrap items-center gap-x-1 px-4 pb-1 text-note text-ink3 md:px-5">
          {translateMessages.from_memory}
          <Button variant="ghost" size="sm" className="px-2!" onClick={onTranslateAgain}>
            <RefreshCw size={14} aria-hidden />
            {text.translateAgain}
          </Button>
        </p>
      )}
      <div className="flex min-h-13 items-center gap-1 px-2.5 pb-2">
        {read_aloud && (
          <ReadTextButton text={result} label={text.readResult} disabled={isTyping || !result} />
        )}
        {pairs.length > 0 && <p className="px-2 text-xs text-ink3 max-sm:sr-only">{text.resultHint}</p>}
        <div className="ml-auto flex gap-1 max-md:gap-0">
          <IconButton
            label={text.like}
            aria-pressed={liked}
            disabled={isTyping || !result || !chat_id}
            onClick={() => void setLiked(!liked)}
          >
            <ThumbsUp size={17} aria-hidden className={clsx(liked && 'fill-accent-soft text-accent')} />
          </IconButton>
          <CopyButton text={result} disabled={isTyping || !result} />
        </div>
      </div>
      {pair && (
        <SentencePanel
          key={openIndex}
          getAnchor={() => sentences.current?.querySelector(`[data-result="${openIndex}"]`) ?? null}
          source={translated.slice(pair.source.start, pair.source.end)}
          sentence={result.slice(pair.result.start, pair.result.end)}
          {...{ target, model, tone }}
          onKeep={keep}
          onClose={close}
        />
      )}
    </div>
  )
}

type SentencesProps = Pick<Props, 'pairs' | 'active' | 'onActive'> & {
  result: string
  onOpen: (pair: number) => void
}

/** A single tab stop; arrow keys move between sentences. */
function Sentences({ result, pairs, active, onActive, onOpen }: SentencesProps) {
  const [focusedIndex, setFocusedIndex] = useState(0)
  const current = Math.min(focusedIndex, pairs.length - 1)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, index: number) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      onOpen(index)
    }
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-result="${index + step}"]`)?.focus()
  }
  const { parts, rest } = cutSpans(
    result,
    pairs.map((pair) => pair.result),
  )
  const sentences = parts.map(({ before, part }, index) => [
    before,
    <span
      key={index}
      role="button"
      tabIndex={index === current ? 0 : -1}
      data-result={index}
      aria-haspopup="dialog"
      onMouseEnter={() => onActive(index)}
      onMouseLeave={() => onActive(null)}
      onFocus={() => {
        setFocusedIndex(index)
        onActive(index)
      }}
      onBlur={() => onActive(null)}
      // Selecting words to copy them must not open the sentence.
      onClick={() => getSelection()?.isCollapsed !== false && onOpen(index)}
      onKeyDown={(event) => onKeyDown(event, index)}
      data-active={index === active || undefined}
      className="cursor-pointer rounded-[3px] box-decoration-clone transition-colors data-active:bg-accent-soft"
    >
      {part}
    </span>,
  ])
  return (
    <>
      {sentences}
      {rest}
    </>
  )
}

/** Copies, and confirms it for a second (specification section 9). */
function CopyButton({ text: copied, disabled }: { text: string; disabled: boolean }) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <>
      <IconButton
        label={isCopied ? text.copied : text.copy}
        disabled={disabled}
        onClick={() => void writeClipboard(copied).then(setIsCopied)}
      >
        {isCopied ? <Check size={17} aria-hidden className="text-success" /> : <Copy size={17} aria-hidden />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? text.copied : ''}
      </span>
    </>
  )
}
