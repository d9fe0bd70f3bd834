import { useEffect, useRef, useState } from 'react'
import { turnsText } from '../text/turns.ts'
import { placeBeside } from '../ui/place.ts'
import type { TurnActions } from './actions.ts'
import { quoted } from './quote.ts'
import { selectedText } from './selection.ts'

/** A selection is looked at when it has not changed for so long. */
const SETTLED_MS = 200

type Props = { busy: boolean; actions: TurnActions }

/** What can be done with selected words of an answer; the message's menu does the same for the keyboard. */
export function SelectionBar({ busy, actions }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const selected = selectedText()
      setText(selected?.text ?? '')
      const place = bar.current
      if (!place) return
      if (!selected) {
        if (place.matches(':popover-open')) place.hidePopover()
        return
      }
      place.showPopover()
      placeBeside(place, selected.range, 'top')
    }
    const onChange = () => {
      clearTimeout(timer)
      timer = setTimeout(look, SETTLED_MS)
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
  const act = (action: (text: string) => void) => () => {
    action(text)
    getSelection()?.removeAllRanges()
  }
  const askOf = (line: string, quick_action: string) =>
    act((words) => actions.ask(`${quoted(words)}\n\n${line}`, quick_action))
  const buttons: [label: string, run: () => void, asks: boolean][] = [
    [turnsText.quote, act(actions.quote), false],
    [turnsText.explain, askOf(turnsText.explainPrompt, 'explain'), true],
    [turnsText.translate, askOf(turnsText.translatePrompt, 'translate'), true],
  ]
  return (
    <div
      ref={bar}
      popover="manual"
      role="toolbar"
      aria-label={turnsText.selection}
      // A press must not take the selection away.
      onPointerDown={(event) => event.preventDefault()}
      className="motion-rise fixed inset-auto m-0 rounded-xl border bg-raised p-1 text-ink shadow-soft"
    >
      {buttons.map(([label, run, asks]) => (
        <button
          key={label}
          type="button"
          disabled={asks && busy}
          onClick={run}
          className="rounded-lg px-2.5 py-1.5 text-[13px] transition-colors hover:bg-fill disabled:text-ink3 max-md:min-h-11 max-md:px-4"
        >
          {label}
        </button>
      ))}
    </div>
  )
}
