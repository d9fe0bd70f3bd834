import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { waitForDiagrams, waitForFormulas, waitForHighlighter } from '#web/markdown/markdown.tsx'
import { chatText } from '#web/text/chat.ts'
import { IsPrinted } from './isPrinted.ts'

/** ⌘P on a Mac, where Ctrl+P goes up a line. */
const isPrintKey = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  (/Mac|iPhone|iPad/.test(navigator.userAgent) ? metaKey : ctrlKey) &&
  !shiftKey &&
  !altKey &&
  key.toLowerCase() === 'p'

type Props<T extends { isWhole: boolean }> = {
  /** Reads all that is printed, while the page stands still; `isWhole`: nothing of it could not be read. */
  read: () => T
  children: (whole: T) => ReactNode
}

/**
 * Something whole while the browser prints, in the place of the page (styles/print.css). The browser waits for nothing that is not
 * there when `beforeprint` returns; the keyboard's Ctrl+P comes before that, and waits for formulas and diagrams.
 */
export function Printed<T extends { isWhole: boolean }>({ read, children }: Props<T>) {
  const [printed, setPrinted] = useState<T | null>(null)
  const show = () => flushSync(() => setPrinted(read()))
  const onBefore = useEffectEvent(show)
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
