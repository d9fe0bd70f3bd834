import { X } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { MAX_PROMPT_CHARS } from '#web/conversations/conversations.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { isComposing } from '#web/ui/form/enterKey.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'
import { useIsWideScreen } from '#web/ui/useIsWideScreen.ts'
import { ReadTextButton } from '#web/conversations/voice/voice.ts'
import { updateSettings } from '../settings.ts'
import { cutSpans, type SentencePair } from './alignSentences.ts'
import { setSource, stopText } from './textStore.ts'

/** Both panes lay out text alike, so that sentences stand beside each other. */
export const paneTextClass =
  'px-4 py-3.5 text-base leading-7 [text-wrap-style:auto] whitespace-pre-wrap wrap-anywhere md:px-5 md:text-lg md:leading-8'

type Props = {
  source: string
  pairs: readonly SentencePair[]
  active: number | null
  onActive: (pair: number | null) => void
  detected: TargetLanguage | null
  canTranslate: boolean
  isSignedIn: boolean
  isTyping: boolean
  isLive: boolean
  read_aloud: boolean
  onTranslate: () => void
  onClear: () => void
}

/** Edits the text to translate. The counterpart of the sentence under the pointer is highlighted behind the text. */
export function SourcePane({ source, pairs, active, onActive, detected, ...props }: Props) {
  const { canTranslate, isSignedIn, isTyping, isLive, read_aloud, onTranslate, onClear } = props
  const isWide = useIsWideScreen()
  const field = useRef<HTMLTextAreaElement>(null)
  // On a phone the focus would open the keyboard over the page.
  useEffect(() => {
    if (isWide) field.current?.focus()
  }, [isWide])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isComposing(event.nativeEvent)) return
    event.preventDefault()
    onTranslate()
  }
  // The field covers a copy of its text, whose elements identify the sentences.
  const onMouseMove = ({ clientX, clientY }: MouseEvent) => {
    if (!pairs.length) return
    const under = document.elementsFromPoint(clientX, clientY)
    const sentence = under.find((element) => element instanceof HTMLElement && element.dataset.source)
    onActive(sentence instanceof HTMLElement ? Number(sentence.dataset.source) : null)
  }
  return (
    <div className="flex min-w-0 flex-col">
      <div className="relative grid min-h-44 flex-1 md:min-h-[max(20rem,calc(100dvh-17rem))]">
        <div aria-hidden className={`${paneTextClass} pr-12! text-transparent [grid-area:1/1]`}>
          <MarkedText {...{ source, pairs, active }} />
          {/* A line that has just begun is as high as the others. */}
          {'\u200b'}
        </div>
        <textarea
          ref={field}
          aria-label={text.source}
          placeholder={text.sourcePlaceholder}
          value={source}
          onChange={({ target }) => setSource(target.value)}
          onKeyDown={onKeyDown}
          onMouseMove={onMouseMove}
          onMouseLeave={() => onActive(null)}
          spellCheck={false}
          lang={detected ?? undefined}
          dir="auto"
          className={`${paneTextClass} resize-none overflow-hidden bg-transparent pr-12! outline-none [grid-area:1/1] placeholder:text-ink3`}
        />
        {source !== '' && (
          <IconButton
            label={text.clear}
            size="sm"
            onClick={onClear}
            className="absolute! top-3 right-2.5 max-md:top-1 max-md:right-1"
          >
            <X size={17} aria-hidden />
          </IconButton>
        )}
      </div>
      <div className="flex min-h-13 flex-wrap items-center gap-x-1 gap-y-1 px-2.5 pb-2">
        {read_aloud && isSignedIn && (
          <ReadTextButton text={source} label={text.readSource} disabled={!source.trim()} />
        )}
        <label
          className="flex min-h-9 cursor-pointer items-center gap-2 rounded-lg px-2 text-note text-ink2 max-md:min-h-11"
          data-tooltip={text.liveHint}
        >
          <input
            type="checkbox"
            checked={isLive}
            onChange={({ target }) => updateSettings({ isLive: target.checked })}
            aria-describedby="live-hint"
            className="size-4 accent-accent"
          />
          {text.live}
        </label>
        <span id="live-hint" className="sr-only">
          {text.liveHint}
        </span>
        <div className="ml-auto flex items-center">
          <span
            className={`px-2 text-xs tabular-nums ${source.length > MAX_PROMPT_CHARS ? 'text-danger' : 'text-ink3'}`}
          >
            {source.length > MAX_PROMPT_CHARS
              ? text.tooLong(MAX_PROMPT_CHARS)
              : text.count(source.length, MAX_PROMPT_CHARS)}
          </span>
          {isTyping ? (
            <Button onClick={() => void stopText()}>{text.stop}</Button>
          ) : isSignedIn ? (
            <Button
              variant="primary"
              disabled={!canTranslate}
              onClick={onTranslate}
              data-tooltip={text.shortcut}
              aria-keyshortcuts="Control+Enter"
            >
              {text.translate}
            </Button>
          ) : (
            <SignInLink variant="primary">{text.signIn}</SignInLink>
          )}
        </div>
      </div>
    </div>
  )
}

function MarkedText({ source, pairs, active }: Pick<Props, 'source' | 'pairs' | 'active'>) {
  const { parts, rest } = cutSpans(
    source,
    pairs.map((pair) => pair.source),
  )
  return (
    <>
      {parts.map(({ before, part }, index) => (
        <span key={index}>
          {before}
          <mark
            data-source={index}
            data-active={index === active || undefined}
            className="rounded-[3px] bg-transparent text-transparent transition-colors data-active:bg-accent-soft"
          >
            {part}
          </mark>
        </span>
      ))}
      {rest}
    </>
  )
}
