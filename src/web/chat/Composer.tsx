import { clsx } from 'clsx'
import { ArrowUp, Square } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type Ref,
  Suspense,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { SlashHandle } from '../prompts/SlashList.tsx'
import { chatText } from '../text/chat.ts'
import { nextBlank } from './blanks.ts'
import { ComposerTools } from './ComposerTools.tsx'
import { composing } from './enter.ts'
import { takeQuestion } from './keptQuestion.ts'
import { MAX_PROMPT_CHARS } from './limits.ts'
import { isLong, withPasted } from './paste/long.ts'

const PastedText = lazy(() => import('./paste/PastedText.tsx'))

const ComposerPrompts = lazy(() => import('../prompts/ComposerPrompts.tsx'))

export type ComposerHandle = {
  fill: (prompt: string) => void
  /** Puts a quotation above what is written already. */
  quote: (quotation: string) => void
}

type Props = {
  ref?: Ref<ComposerHandle>
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
 * lives in the element itself, so that long texts do not pass through React.
 */
export function Composer({ ref, typing, onSend, onStop }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [fill, setFill] = useState<Fill>('empty')
  const [pasted, setPasted] = useState('')
  const [slash, setSlash] = useState<string | null>(null)
  const [dismissed, setDismissed] = useState(false)
  const [library, setLibrary] = useState(false)
  const slashList = useRef<SlashHandle>(null)

  const update = () => {
    const area = field.current
    if (!area) return
    setFill(fillOf(withPasted(area.value, pasted)))
    const typed = slashOf(area.value)
    setSlash(typed)
    if (typed === null) setDismissed(false)
    if (sizesItself) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight, MAX_HEIGHT_PX)}px`
  }
  const write = (text: string) => {
    const area = field.current
    if (!area) return
    // A long text that comes back goes where a pasted one does.
    if (isLong(text)) setPasted(text)
    else area.value = text
    update()
    area.focus()
    area.setSelectionRange(area.value.length, area.value.length)
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
    quote: (quotation) => write(`${quotation}\n\n${field.current?.value ?? ''}`),
  }))
  useLayoutEffect(() => {
    const kept = takeQuestion()
    if (kept) write(kept)
    else if (matchMedia('(pointer: fine)').matches) field.current?.focus()
  }, [])

  useLayoutEffect(update, [pasted])

  const send = () => {
    const area = field.current
    if (!area) return
    const prompt = withPasted(area.value, pasted)
    if (typing || fillOf(prompt) !== 'ready') return
    onSend(prompt)
    setPasted('')
    write('')
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain').replace(/\r\n?/g, '\n')
    if (!isLong(text)) return
    event.preventDefault()
    setPasted((before) => withPasted(before, text))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (composing(event)) return
    const { key, shiftKey, currentTarget } = event
    if (slashList.current?.take(event)) event.preventDefault()
    else if (key === 'Enter' && !shiftKey) {
      event.preventDefault()
      send()
    } else if (key === 'Tab' && !shiftKey && selectBlank(currentTarget.selectionEnd)) event.preventDefault()
  }

  return (
    <div className="rounded-[20px] border border-line2 bg-raised shadow-soft transition-colors focus-within:border-ink3/60">
      {pasted && (
        <Suspense>
          <PastedText
            text={pasted}
            onRemove={() => {
              setPasted('')
              field.current?.focus()
            }}
          />
        </Suspense>
      )}
      <textarea
        ref={field}
        rows={1}
        aria-label={chatText.composerLabel}
        aria-describedby="composer-note"
        aria-invalid={fill === 'long' || undefined}
        placeholder={chatText.composerLabel}
        enterKeyHint="send"
        autoComplete="off"
        onInput={update}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
        className="block field-sizing-content max-h-60 min-h-12 w-full resize-none overflow-y-auto bg-transparent px-4.5 pt-3 pb-1 text-[15px] leading-7 outline-none max-md:text-base"
      />
      {(library || (slash !== null && !dismissed)) && (
        <Suspense>
          <ComposerPrompts
            ref={slashList}
            field={field}
            slash={slash}
            library={library}
            onChoose={take}
            onLibrary={browse}
            onClose={() => setDismissed(true)}
          />
        </Suspense>
      )}
      <div className="flex items-center justify-end gap-3 px-2 pb-2">
        <ComposerTools onPrompts={() => browse(true)} />
        <p id="composer-note" role="status" className="mr-auto text-[13px] text-danger">
          {fill === 'long' && chatText.tooLong(MAX_PROMPT_CHARS)}
        </p>
        <button
          type="button"
          aria-label={typing ? chatText.stop : chatText.send}
          data-tooltip={typing ? chatText.stop : chatText.send}
          disabled={!typing && fill !== 'ready'}
          onClick={typing ? onStop : send}
          className={clsx(
            'grid size-9 shrink-0 place-items-center rounded-full bg-btn text-btn-ink transition-colors hover:bg-btn-hover max-md:size-11',
            'disabled:bg-fill2 disabled:text-ink3',
          )}
        >
          {typing ? <Square size={14} fill="currentColor" aria-hidden /> : <ArrowUp size={18} aria-hidden />}
        </button>
      </div>
    </div>
  )
}
