import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { ListPlus, Mic } from 'lucide-react'
import type { ChatModel } from '#contract/models.ts'
import { useConfig, isWidget } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { ComposerPrompts, type SlashHandle } from '#web/conversations/prompts/prompts.ts'
import { setRecording, useHasRecording } from '#web/conversations/recording/recording.ts'
import { chatText } from '#web/text/chat.ts'
import { isComposing, isSendKey } from '#web/ui/form/enterKey.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { withModule } from '#web/ui/lazy/withModule.ts'
import { lazyModule } from '#web/core/lazyModule.ts'
import {
  getAttachments,
  getBlocks,
  restoreAttachments,
  takeAttachments,
  updateAttachments,
  useAttachments,
} from './attachmentStore.ts'
import { type QueuedQuestion, type QueueSource, useQueue } from './queueStore.ts'
import { findPlaceholder } from './placeholders.ts'
import { ComposerTools } from './ComposerTools.tsx'
import { MAX_PROMPT_CHARS, isLongText, joinPastedText } from '#web/conversations/conversations.ts'
import { serializeDraft, parseDraft } from './draftText.ts'
import { usePastedText } from './usePastedText.ts'
import { SendButton } from './SendButton.tsx'
import { useDraft } from './useDraft.ts'

export { drafts } from './browserDrafts.ts'
export { getBlocks } from './attachmentStore.ts'
export type { QueueSource } from './queueStore.ts'
export { useThinking } from './useThinking.ts'

const PastedText = lazyComponent(() => import('./PastedText.tsx'))
const Attachments = lazyComponent(() => import('./Attachments.tsx'), { silent: true })
const RecordingBar = lazyComponent(() => import('./RecordingBar.tsx'), {
  getOnClose:
    ({ conversationKey }) =>
    () =>
      setRecording(conversationKey, undefined),
  fallback: () => <div className="h-11 max-md:h-13" />,
})
const QueuedQuestions = lazyComponent(() => import('./QueuedQuestions.tsx'))
const getQueueModule = lazyModule(() => import('./questionQueue.ts'))
const getAttachModule = lazyModule(() => import('./attachFiles.ts'))

export type ComposerHandle = {
  setText: (prompt: string) => void
  focus: () => void
  /** The whole question: the typed text and the pasted text beside it. */
  getQuestion: () => string
  /** Opens the prompt library. */
  openLibrary: () => void
  /** Puts a question that could not be asked above the text written since. */
  restoreQuestion: (prompt: string) => void
  /** Puts a quotation above the text written so far. */
  insertQuote: (quotation: string) => void
}

type Props = {
  ref?: Ref<ComposerHandle>
  /** Key of the draft; see `useDraft`. */
  draftKey: string
  conversationKey: string
  typing: boolean
  /** Tells a queued question when the answers before it have ended; conversations when absent. */
  queueSource?: QueueSource
  /** The chosen model's `thinking`, which says if it can be switched. */
  thinking: ChatModel['thinking']
  /** The web can be searched before answering. */
  web_search: boolean
  /** The field's label and placeholder, which name the recipient. */
  label?: string
  /** The chatbot takes only text: no files, no recordings. */
  withoutFiles?: boolean
  /** `block`: ids of the question's documents, separated by commas; the first of a spoken question is its recording. */
  onSend: (prompt: string, about: { block?: string; content_type?: 'audio' }) => void
  onStop: () => void
}

/** A longer pasted text becomes a document, for a person who may have documents. */
const MAX_PASTED_CHARS = 50_000
const MAX_HEIGHT_PX = 240
// Where the browser sizes a text field by its content, measuring it on each key would only cost time.
const hasFieldSizing = CSS.supports('field-sizing', 'content')

/** The word after a slash at the start of the text, while it may be a search for a prompt. */
const parseSlash = (value: string): string | null => /^\/(\S{0,30})$/.exec(value)?.[1] ?? null

type FieldState = 'empty' | 'ready' | 'long'
const getFieldState = (value: string): FieldState =>
  value.length > MAX_PROMPT_CHARS ? 'long' : value.trim() ? 'ready' : 'empty'

/**
 * The field for the next question. Enter sends, Shift+Enter (on a touch screen Enter) breaks the line, and a slash at the start
 * offers prompts. The text lives in the element itself, so that long texts do not pass through React. A draft is the whole
 * question, including the pasted text beside the field.
 */
export function Composer({
  ref,
  draftKey,
  conversationKey,
  typing,
  queueSource,
  thinking,
  web_search,
  label = chatText.composerLabel,
  withoutFiles,
  onSend,
  onStop,
}: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [fieldState, setFieldState] = useState<FieldState>('empty')
  const pastedText = usePastedText()
  const [slash, setSlash] = useState<string | null>(null)
  const [isDismissed, setDismissed] = useState(false)
  const [isLibraryOpen, setLibraryOpen] = useState(false)
  const slashList = useRef<SlashHandle>(null)
  const visitor = useUser()
  const isPlain = isWidget()
  const user = withoutFiles ? null : visitor
  const attachments = useAttachments(conversationKey)
  const areAskable = attachments.every(({ isAskable }) => isAskable)
  const queue = useQueue(conversationKey)
  // Queued questions go first, also in the moment between two answers.
  const isQueued = typing || queue.questions.length > 0
  const isRecording = useHasRecording(conversationKey)
  const canRecord = useConfig().voice_input && user !== null

  const getQuestion = () => joinPastedText(field.current?.value ?? '', pastedText.now.current)
  const update = () => {
    const area = field.current
    if (!area) return
    setFieldState(getFieldState(getQuestion()))
    const nextSlash = isPlain ? null : parseSlash(area.value)
    setSlash(nextSlash)
    if (nextSlash === null) setDismissed(false)
    if (hasFieldSizing) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, MAX_HEIGHT_PX)}px`
  }
  const setFieldText = (text: string) => {
    const area = field.current
    if (!area) return
    area.value = text
    update()
    area.setSelectionRange(text.length, text.length)
  }
  const getText = () => serializeDraft(field.current?.value ?? '', pastedText.now.current)
  /** Replaces the text by a draft's; a long question is shown beside the field, like a pasted one. */
  const showText = (text: string) => {
    const parts = parseDraft(text)
    const { typed, pasted: beside } = !parts.pasted && isLongText(text) ? { typed: '', pasted: text } : parts
    pastedText.set(beside)
    // A draft that begins with a slash must not open the list of prompts.
    setDismissed(true)
    setFieldText(typed)
  }
  const draft = useDraft({
    draftKey,
    conversationKey,
    getDraft: (key) => ({ text: getText(), blocks: getBlocks(key) }),
    showDraft({ text, blocks }) {
      showText(text)
      restoreAttachments(conversationKey, blocks)
    },
    attachments,
  })
  const focus = () => field.current?.focus()
  /** Sets the field's text, keeping the pasted text. */
  const insertText = (text: string) => {
    if (isLongText(text)) {
      pastedText.set(joinPastedText(text, pastedText.now.current))
      setFieldText('')
    } else setFieldText(text)
    draft.onChange()
    focus()
  }
  /** Puts a question back above the text written since. */
  const restore = (prompt: string, files: QueuedQuestion['attachments'] = []) => {
    insertText(joinPastedText(prompt, field.current?.value ?? ''))
    if (files.length) updateAttachments(conversationKey, (others) => [...files, ...others])
  }
  /** Inserts a prompt and selects its first placeholder. */
  const insertPrompt = (prompt: string) => {
    // The field cannot get the focus while a dialog is open.
    flushSync(() => setLibraryOpen(false))
    insertText(prompt)
    selectPlaceholder(0)
  }
  const selectPlaceholder = (from: number): boolean => {
    const area = field.current
    const placeholder = area && findPlaceholder(area.value, from)
    if (placeholder) area.setSelectionRange(placeholder.start, placeholder.end)
    return placeholder !== null
  }
  const toggleLibrary = (open: boolean) => {
    setDismissed(slash !== null)
    setLibraryOpen(open)
  }
  useImperativeHandle(ref, () => ({
    setText: insertText,
    focus,
    getQuestion,
    openLibrary: () => toggleLibrary(true),
    restoreQuestion: (prompt) => restore(prompt),
    insertQuote: (quotation) => insertText(`${quotation}\n\n${field.current?.value ?? ''}`),
  }))
  /** On a touch screen focus opens the keyboard; in a frame it must not be taken from the site. */
  const focusUnlessTouch = () =>
    matchMedia('(pointer: fine)').matches && (!isWidget() || document.hasFocus()) && focus()
  useLayoutEffect(() => {
    // The person may already be writing in the form beside this conversation.
    if (document.activeElement?.matches('main :is(input, textarea)')) return
    if (field.current?.value) focus()
    else focusUnlessTouch()
  }, [])
  const onPastedChange = useEffectEvent(update)
  useLayoutEffect(() => onPastedChange(), [pastedText.text])

  const onInput = () => {
    update()
    draft.onChange()
  }
  const send = () => {
    const prompt = getQuestion()
    if (isRecording || !areAskable || getFieldState(prompt) !== 'ready') return
    const sentText = getText()
    showText('')
    focus()
    draft.onSent(sentText)
    const attached = getAttachments(conversationKey)
    const about = { block: takeAttachments(conversationKey) }
    if (!isQueued) return onSend(prompt, about)
    const question = { prompt, attachments: attached, send: () => onSend(prompt, about) }
    void withModule(
      getQueueModule,
      ({ queueQuestion }) => queueQuestion(conversationKey, question, queueSource),
      () => restore(prompt, attached),
    )
  }
  const sendRecording = (id: string) =>
    onSend('', {
      block: [id, takeAttachments(conversationKey)].filter(Boolean).join(','),
      content_type: 'audio',
    })
  const attach = (content: File[] | string) =>
    user && void withModule(getAttachModule, ({ attach }) => attach(conversationKey, content, user.level))
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain').replace(/\r\n?/g, '\n')
    // Copied spreadsheet cells contain a picture too, but the text is meant.
    if (user && files.length && !text) {
      event.preventDefault()
      return attach(files)
    }
    if (!isLongText(text)) return
    event.preventDefault()
    if (user && text.length > MAX_PASTED_CHARS) return attach(text)
    pastedText.set(joinPastedText(pastedText.now.current, text))
    draft.onChange()
  }
  const removePasted = () => {
    pastedText.set('')
    draft.onChange()
    focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, currentTarget, nativeEvent } = event
    if (isComposing(nativeEvent)) return
    if (slashList.current?.handleKey(event)) event.preventDefault()
    else if (isSendKey(nativeEvent)) {
      event.preventDefault()
      send()
    } else if (key === 'Tab' && !shiftKey && selectPlaceholder(currentTarget.selectionEnd))
      event.preventDefault()
  }

  return (
    <div className="rounded-[20px] border border-line2 bg-raised shadow-soft focus-within:border-ink3/60">
      {(queue.questions.length > 0 || queue.returned.length > 0) && (
        <QueuedQuestions conversationKey={conversationKey} onRestore={restore} />
      )}
      {(user || attachments.length > 0) && <Attachments conversationKey={conversationKey} onFiles={attach} />}
      {pastedText.text && <PastedText text={pastedText.text} onRemove={removePasted} />}
      <textarea
        ref={field}
        rows={1}
        aria-label={label}
        aria-describedby="composer-note"
        aria-invalid={fieldState === 'long' || undefined}
        placeholder={label}
        enterKeyHint="enter"
        autoComplete="off"
        onInput={onInput}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
        className="block field-sizing-content max-h-60 min-h-12 w-full resize-none overflow-y-auto bg-transparent px-4.5 pt-3 pb-1 text-reading leading-7 outline-none max-md:text-base"
      />
      {(isLibraryOpen || (slash !== null && !isDismissed)) && (
        <ComposerPrompts
          ref={slashList}
          field={field}
          slash={slash}
          isLibraryOpen={isLibraryOpen}
          onChoose={insertPrompt}
          onLibraryChange={toggleLibrary}
          onClose={() => setDismissed(true)}
        />
      )}
      {isRecording ? (
        <RecordingBar
          conversationKey={conversationKey}
          canSend={!typing && areAskable}
          onSend={sendRecording}
          onClose={focusUnlessTouch}
        />
      ) : (
        <div className="flex items-center justify-end gap-3 px-2 pb-2 max-md:gap-1">
          {!isPlain && (
            <ComposerTools
              {...{ thinking, web_search }}
              onPrompts={() => toggleLibrary(true)}
              onFiles={user && attach}
            />
          )}
          <p id="composer-note" role="status" className="mr-auto text-note text-danger">
            {fieldState === 'long' && chatText.tooLong(MAX_PROMPT_CHARS)}
          </p>
          {canRecord && (
            <IconButton
              label={chatText.record}
              onClick={() => setRecording(conversationKey, { state: 'starting' })}
              className={fieldState === 'empty' ? undefined : 'max-md:hidden'}
            >
              <Mic size={17} aria-hidden />
            </IconButton>
          )}
          {isQueued && fieldState === 'ready' && areAskable && (
            <IconButton label={chatText.queue} onClick={send}>
              <ListPlus size={18} aria-hidden />
            </IconButton>
          )}
          <SendButton
            typing={typing}
            ready={fieldState === 'ready' && areAskable}
            onSend={send}
            onStop={onStop}
          />
        </div>
      )}
    </div>
  )
}
