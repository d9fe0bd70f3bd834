import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { waitForDiagrams, waitForFormulas, waitForHighlighter } from '#web/markdown/markdown.tsx'
import { chatText } from '#web/text/chat.ts'
import { IsPrinted } from './isPrinted.ts'

/** Tells whether a key prints: Ctrl+P, or ⌘P on a Mac, where Ctrl+P moves up a line. */
const isPrintKey = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  (/Mac|iPhone|iPad/.test(navigator.userAgent) ? metaKey : ctrlKey) &&
  !shiftKey &&
  !altKey &&
  key.toLowerCase() === 'p'

type Props<T extends { isWhole: boolean }> = {
  /** Reads everything to print, synchronously. `isWhole`: nothing is missing. */
  read: () => T
  children: (whole: T) => ReactNode
}

/**
 * Replaces the page while the browser prints (styles/print.css). The browser prints the DOM as it is when `beforeprint` returns,
 * so Ctrl+P is handled before that, and waits for formulas, colours and diagrams.
 */
export function PrintSheet<T extends { isWhole: boolean }>({ read, children }: Props<T>) {
  const [printed, setPrinted] = useState<T | null>(null)
  const show = () => flushSync(() => setPrinted(read()))
  // The keyboard has shown it already, drawn.
  const onBefore = useEffectEvent(() => printed ?? show())
  const printDrawn = async () => {
    show()
    await waitForFormulas()
    await waitForHighlighter()
    await waitForDiagrams()
    print()
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isPrintKey(event)) return
    event.preventDefault()
    void printDrawn()
  })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    addEventListener('keydown', (event) => onKeyDown(event), { signal })
    addEventListener('beforeprint', () => onBefore(), { signal })
    addEventListener('afterprint', () => setPrinted(null), { signal })
    return () => controller.abort()
  }, [])
  if (!printed) return null
  return createPortal(
    <IsPrinted value={true}>
      <div className="printed hidden print:block" data-sheet="">
        {!printed.isWhole && <p className="mb-4 text-note text-ink2">{chatText.printedPart}</p>}
        {children(printed)}
      </div>
    </IsPrinted>,
    document.body,
  )
}
