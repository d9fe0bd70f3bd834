import { useEffect, useRef, useState } from 'react'
import { messagesText } from '#web/text/messages.ts'
import { positionPopover } from '#web/ui/popover/popoverPosition.ts'
import type { MessageActions } from './message/messageActions.ts'
import { toBlockquote } from '#web/markdown/markdown.tsx'
import { getSelectedText } from './message/selection.ts'

/** How long a selection must be unchanged for the bar to appear, ms. */
const DEBOUNCE_MS = 200

type Props = { busy: boolean; actions: MessageActions }

/** Offers actions on selected words of an answer. The message's menu offers them to the keyboard. */
export function SelectionBar({ busy, actions }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const update = () => {
      const selectedText = getSelectedText()
      setText(selectedText?.text ?? '')
      const toolbar = bar.current
      if (!toolbar) return
      if (!selectedText) {
        if (toolbar.matches(':popover-open')) toolbar.hidePopover()
        return
      }
      toolbar.showPopover()
      positionPopover(toolbar, selectedText.range, 'top')
    }
    const onChange = () => {
      clearTimeout(timer)
      timer = setTimeout(update, DEBOUNCE_MS)
    }
    const onScroll = () => bar.current?.matches(':popover-open') && bar.current.hidePopover()
    document.addEventListener('selectionchange', onChange)
    document.addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('selectionchange', onChange)
      document.removeEventListener('scroll', onScroll, { capture: true })
    }
  }, [])
  const createHandler = (action: (text: string) => void) => () => {
    action(text)
    getSelection()?.removeAllRanges()
  }
  const createAskHandler = (line: string, quickAction: string) =>
    createHandler((words) => actions.ask(`${toBlockquote(words)}\n\n${line}`, { quick_action: quickAction }))
  const buttons: [label: string, run: () => void, asks: boolean][] = [
    [messagesText.quote, createHandler(actions.quote), false],
    [messagesText.explain, createAskHandler(messagesText.explainPrompt, 'explain'), true],
    [messagesText.translate, createAskHandler(messagesText.translatePrompt, 'translate'), true],
  ]
  return (
    <div
      ref={bar}
      popover="manual"
      role="toolbar"
      aria-label={messagesText.selection}
      // A press must not clear the selection.
      onPointerDown={(event) => event.preventDefault()}
      className="motion-rise fixed inset-auto m-0 rounded-xl border bg-raised p-1 text-ink shadow-soft"
    >
      {buttons.map(([label, run, asks]) => (
        <button
          key={label}
          type="button"
          disabled={asks && busy}
          onClick={run}
          className="rounded-lg px-2.5 py-1.5 text-note transition-colors hover:bg-fill disabled:text-ink3 max-md:min-h-11 max-md:px-4"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
