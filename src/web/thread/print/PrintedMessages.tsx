import { useEffect, useEffectEvent, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { readAllMessages, useLiveAnswer, type Message } from '#web/conversations/conversations.ts'
import { chatText } from '#web/text/chat.ts'
import { AnswerBody } from '../message/AnswerBody.tsx'
import { QuestionBubble, QuestionDocuments } from '../message/QuestionBubble.tsx'
import { IsPrinted } from './isPrinted.ts'

/**
 * The whole conversation while the browser prints, in the place of the page (styles/print.css). The browser waits for nothing that
 * is not there when `beforeprint` returns.
 */
export function PrintedMessages({ id }: { id: string }) {
  const [printed, setPrinted] = useState<ReturnType<typeof readAllMessages> | null>(null)
  const onBefore = useEffectEvent(() => flushSync(() => setPrinted(readAllMessages(id))))
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    addEventListener('beforeprint', () => onBefore(), { signal })
    addEventListener('afterprint', () => setPrinted(null), { signal })
    return () => controller.abort()
  }, [])
  if (!printed) return null
  return createPortal(
    <IsPrinted value={true}>
      <div className="printed hidden print:block">
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
