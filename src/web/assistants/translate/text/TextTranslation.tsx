import { router } from '@inertiajs/react'
import { ArrowLeftRight } from 'lucide-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { targetLanguages } from '#contract/translate/languages.ts'
import { useConfig } from '#web/core/page.ts'
import { useDebounced } from '#web/core/useDebounced.ts'
import { useUser } from '#web/core/user.ts'
import { MAX_PROMPT_CHARS } from '#web/conversations/conversations.ts'
import { translateMessages } from '#contract/translate/messages.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { PlayerBar, stopPlayback } from '#web/conversations/voice/voice.ts'
import { resolveTarget, updateSettings, useTranslationSettings } from '../settings.ts'
import { TargetSelect } from '../TargetSelect.tsx'
import { alignSentences, type SentencePair } from './alignSentences.ts'
import { detectLanguage } from '#contract/translate/detect-language.ts'
import { ResultPane } from './ResultPane.tsx'
import { SourcePane } from './SourcePane.tsx'
import { clearText, swapTexts, translateSource, useTextTranslation } from './textStore.ts'

/** A pause in typing after which a text is translated automatically, if that is switched on. */
const LIVE_PAUSE_MS = 900

type Props = { model: string | null; onSession: (sessId: string) => void }

const noPairs: readonly SentencePair[] = []

/** Shows a text and its translation side by side; on phones one above the other. */
export function TextTranslation({ model, onSession }: Props) {
  const isSignedIn = useUser() !== null
  const { read_aloud } = useConfig()
  const { target: chosenTarget, tone, isLive } = useTranslationSettings()
  const translation = useTextTranslation()
  const { source, result, translated, status } = translation
  const [active, setActive] = useState<number | null>(null)
  const detected = useMemo(() => detectLanguage(source), [source])
  const target = resolveTarget(chosenTarget, detected)
  const isTyping = status === 'typing'
  const canTranslate = isSignedIn && source.trim() !== '' && source.length <= MAX_PROMPT_CHARS && !isTyping
  const start = ({ fresh = false } = {}) => {
    if (!canTranslate) return
    setActive(null)
    if (!chosenTarget) updateSettings({ target })
    void translateSource({ model, target, tone, fresh }, onSession)
  }

  const clear = () => {
    clearText()
    router.replace({ url: '/fanyi', preserveState: true, preserveScroll: true })
  }

  const pausedSource = useDebounced(source, LIVE_PAUSE_MS)
  const onPause = useEffectEvent(() => {
    const isNew = source !== translated || target !== translation.target
    if (isLive && isNew && pausedSource === source) start()
  })
  // Text typed during a translation is translated after it.
  useEffect(() => onPause(), [pausedSource, target, isTyping])
  useEffect(() => stopPlayback, [])

  const pairs = useMemo(
    () => (isTyping || !result ? noPairs : alignSentences(translated, result)),
    [isTyping, translated, result],
  )
  const isSame = detected !== null && detected === target
  const other = target.startsWith('zh') ? 'en' : 'zh-CN'

  return (
    <section aria-label={text.title}>
      <div className="overflow-clip rounded-2xl border bg-panel">
        <div className="grid grid-cols-[1fr_auto_auto] items-center md:grid-cols-[1fr_auto_1fr] border-b px-2 py-1">
          <p className="truncate pl-2 text-note text-ink2" aria-live="polite">
            {detected ? text.detected(targetLanguages[detected]) : text.undetected}
          </p>
          <IconButton
            label={detected ? text.swap : text.swapUnknown}
            disabled={isTyping || !detected}
            onClick={() => {
              swapTexts()
              if (detected) updateSettings({ target: detected })
            }}
          >
            <ArrowLeftRight size={17} aria-hidden />
          </IconButton>
          <div className="min-w-0 pl-1">
            <TargetSelect target={target} />
          </div>
        </div>
        {isSame && (
          <p className="flex flex-wrap items-center gap-2 border-b bg-fill px-4 py-1.5 text-note text-ink2">
            {text.sameLanguage(targetLanguages[detected])}
            <Button variant="ghost" size="sm" onClick={() => updateSettings({ target: other })}>
              {text.translateInto(targetLanguages[other])}
            </Button>
          </p>
        )}
        <div className="grid md:grid-cols-2">
          <SourcePane
            source={source}
            pairs={source === translated ? pairs : noPairs}
            active={active}
            onActive={setActive}
            detected={detected}
            {...{ canTranslate, isSignedIn, isTyping, isLive, read_aloud }}
            onTranslate={() => start()}
            onClear={clear}
          />
          <ResultPane
            translation={translation}
            {...{ pairs, active, model, read_aloud, tone }}
            target={translation.target ?? target}
            onActive={setActive}
            onTranslate={() => start()}
            onTranslateAgain={() => start({ fresh: true })}
          />
        </div>
      </div>
      <div className="mt-3">{read_aloud && <PlayerBar />}</div>
      <p role="status" className="sr-only">
        {isTyping ? translateMessages.translating : status === 'done' && !translation.error ? text.done : ''}
      </p>
    </section>
  )
}
