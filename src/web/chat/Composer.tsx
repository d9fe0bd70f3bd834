import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { SlashHandle } from '../prompts/SlashList.tsx'
import { chatText } from '../text/chat.ts'
import { isComposing, sends } from '../ui/enterKey.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { nextBlank } from './blanks.ts'
import { ComposerTools } from './ComposerTools.tsx'
import { MAX_PROMPT_CHARS } from './limits.ts'
import { keptOf, partsOf } from './paste/kept.ts'
import { isLong, withPasted } from './paste/long.ts'
import { usePasted } from './paste/usePasted.ts'
import { SendButton } from './SendButton.tsx'
import { useDraft } from './useDraft.ts'

const PastedText = lazyPart(() => import('./paste/PastedText.tsx'))

const ComposerPrompts = lazyPart(() => import('../prompts/ComposerPrompts.tsx'), {
  // What begins with a slash may be no more than a text: only the library is missed.
  close: ({ library, onLibrary }) => (library ? () => onLibrary(false) : null),
})

export type ComposerHandle = {
  fill: (prompt: string) => void
  focus: () => void
  /** Opens the prompt library. */
  browse: () => void
  /** Takes a question that could not be asked, above what was written since. */
  giveBack: (prompt: string) => void
  /** Puts a quotation above what is written already. */
  quote: (quotation: string) => void
}

type Props = {
  ref?: Ref<ComposerHandle>
  /** Which conversation's draft this is: see `useDraft`. */
  place: string
  conversation: string
  typing: boolean
  onSend: (prompt: string) => void
  onStop: () => void
}

const MAX_HEIGHT_PX = 240
// Where the browser sizes a text field by its content, measuring it with every key would only cost time.
const sizesItself = CSS.supports('field-sizing', 'content')

/** What was typed after a slash that the text begins with, as long as it may be looking for a prompt. */
const slashOf = (value: string): string | null => /^\/(\S{0,30})$/.exec(value)?.[1] ?? null

type Fill = 'empty' | 'ready' | 'long'
const fillOf = (value: string): Fill =>
  value.length > MAX_PROMPT_CHARS ? 'long' : value.trim() ? 'ready' : 'empty'

/**
 * The field for the next question: Enter sends, Shift+Enter breaks the line, a slash at the start offers prompts. Its text
 * lives in the element itself, so that long texts do not pass through React. A draft is the whole question: what was
 * pasted beside the field too, which stays there.
 */
export function Composer({ ref, place, conversation, typing, onSend, onStop }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [fill, setFill] = useState<Fill>('empty')
  const pasted = usePasted()
  const [slash, setSlash] = useState<string | null>(null)
  const [dismissed, setDismissed] = useState(false)
  const [library, setLibrary] = useState(false)
  const slashList = useRef<SlashHandle>(null)

  const question = () => withPasted(field.current?.value ?? '', pasted.now.current)
  const update = () => {
    const area = field.current
    if (!area) return
    setFill(fillOf(question()))
    const typed = slashOf(area.value)
    setSlash(typed)
    if (typed === null) setDismissed(false)
    if (sizesItself) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, MAX_HEIGHT_PX)}px`
  }
  const put = (text: string) => {
    const area = field.current
    if (!area) return
    area.value = text
    update()
    area.setSelectionRange(text.length, text.length)
  }
  const kept = () => keptOf(field.current?.value ?? '', pasted.now.current)
  /** Shows a kept draft in the place of what is here; a long question goes where a pasted one does. */
  const show = (draft: string) => {
    const parts = partsOf(draft)
    const { typed, pasted: beside } = !parts.pasted && isLong(draft) ? { typed: '', pasted: draft } : parts
    pasted.set(beside)
    // A draft that begins with a slash offers nothing by itself.
    setDismissed(true)
    put(typed)
  }
  const draft = useDraft({ place, conversation, read: kept, show })
  const focus = () => field.current?.focus()
  /** Writes into the field, beside what was pasted. */
  const write = (text: string) => {
    if (isLong(text)) {
      pasted.set(withPasted(text, pasted.now.current))
      put('')
    } else put(text)
    draft.changed()
    focus()
  }
  /** Writes a prompt, with what is to be filled in first selected. */
  const take = (prompt: string) => {
    // The field cannot have the focus while a dialog is open.
    flushSync(() => setLibrary(false))
    write(prompt)
    selectBlank(0)
  }
  const selectBlank = (from: number): boolean => {
    const area = field.current
    const blank = area && nextBlank(area.value, from)
    if (blank) area.setSelectionRange(blank.start, blank.end)
    return blank !== null
  }
  const browse = (open: boolean) => {
    setDismissed(slash !== null)
    setLibrary(open)
  }
  useImperativeHandle(ref, () => ({
    fill: write,
    focus,
    browse: () => browse(true),
    giveBack: (prompt) => write(withPasted(prompt, field.current?.value ?? '')),
    quote: (quotation) => write(`${quotation}\n\n${field.current?.value ?? ''}`),
  }))
  useLayoutEffect(() => {
    if (field.current?.value || matchMedia('(pointer: fine)').matches) focus()
  }, [])
  useLayoutEffect(update, [pasted.text])

  const onInput = () => {
    update()
    draft.changed()
  }
  const send = () => {
    const prompt = question()
    if (typing || fillOf(prompt) !== 'ready') return
    const sent = kept()
    show('')
    focus()
    draft.sent(sent)
    onSend(prompt)
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain').replace(/\r\n?/g, '\n')
    if (!isLong(text)) return
    event.preventDefault()
    pasted.set(withPasted(pasted.now.current, text))
    draft.changed()
  }
  const onUnpaste = () => {
    pasted.set('')
    draft.changed()
    focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, currentTarget, nativeEvent } = event
    if (isComposing(nativeEvent)) return
    if (slashList.current?.take(event)) event.preventDefault()
    else if (sends(nativeEvent)) {
      event.preventDefault()
      send()
    } else if (key === 'Tab' && !shiftKey && selectBlank(currentTarget.selectionEnd)) event.preventDefault()
  }

  return (
    <div className="rounded-[20px] border border-line2 bg-raised shadow-soft focus-within:border-ink3/60">
      {pasted.text && <PastedText text={pasted.text} onRemove={onUnpaste} />}
      <textarea
        ref={field}
        rows={1}
        aria-label={chatText.composerLabel}
        aria-describedby="composer-note"
        aria-invalid={fill === 'long' || undefined}
        placeholder={chatText.composerLabel}
        enterKeyHint="send"
        autoComplete="off"
        onInput={onInput}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
        className="block field-sizing-content max-h-60 min-h-12 w-full resize-none overflow-y-auto bg-transparent px-4.5 pt-3 pb-1 text-[15px] leading-7 outline-none max-md:text-base"
      />
      {(library || (slash !== null && !dismissed)) && (
        <ComposerPrompts
          ref={slashList}
          field={field}
          slash={slash}
          library={library}
          onChoose={take}
          onLibrary={browse}
          onClose={() => setDismissed(true)}
        />
      )}
      <div className="flex items-center justify-end gap-3 px-2 pb-2">
        <ComposerTools onPrompts={() => browse(true)} />
        <p id="composer-note" role="status" className="mr-auto text-[13px] text-danger">
          {fill === 'long' && chatText.tooLong(MAX_PROMPT_CHARS)}
        </p>
        <SendButton typing={typing} ready={fill === 'ready'} onSend={send} onStop={onStop} />
      </div>
    </div>
  )
}
