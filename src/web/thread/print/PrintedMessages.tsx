import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { readAllMessages, useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { waitForDiagrams, waitForFormulas, waitForHighlighter } from '#web/markdown/markdown.tsx'
import { chatText } from '#web/text/chat.ts'
import { AnswerBody } from '../message/AnswerBody.tsx'
import { QuestionBubble, QuestionDocuments } from '../message/QuestionBubble.tsx'
import { IsPrinted } from './isPrinted.ts'

/** ⌘P on a Mac, where Ctrl+P goes up a line. */
const isPrintKey = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  (/Mac|iPhone|iPad/.test(navigator.userAgent) ? metaKey : ctrlKey) &&
  !shiftKey &&
  !altKey &&
  key.toLowerCase() === 'p'

/**
 * The whole conversation while the browser prints, in the place of the page (styles/print.css). The browser waits for nothing that
 * is not there when `beforeprint` returns; the keyboard's Ctrl+P comes before that, and waits for formulas and diagrams.
 */
export function PrintedMessages({ id }: { id: string }) {
  const [printed, setPrinted] = useState<ReturnType<typeof readAllMessages> | null>(null)
  const show = () => flushSync(() => setPrinted(readAllMessages(id)))
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
        {printed.messages.map((message) =>
          message.role === 'human' ? (
            <div key={message.key} className="pt-5 pb-2">
              <QuestionDocuments message={message} />
              <div className="flex justify-end">
                <QuestionBubble message={message} className="border" />
              </div>
            </div>
          ) : (
            <PrintedAnswer key={message.key} message={message} />
          ),
        )}
      </div>
    </IsPrinted>,
    document.body,
  )
}

function PrintedAnswer({ message }: { message: Message }) {
  const live = useLiveAnswer(message)
  return (
    <AnswerBody message={message} live={live}>
      {message.error && <p className="mt-2 text-note text-danger">{message.error}</p>}
    </AnswerBody>
  )
}
