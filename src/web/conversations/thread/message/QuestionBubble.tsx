import { getRecordingId, listDocuments, type Message } from '#web/conversations/conversations.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { FoldedText } from './FoldedText.tsx'

const QuestionRecording = lazyComponent(() => import('./QuestionRecording.tsx'), {
  silent: true,
  fallback: () => <div className="mb-1 h-8 w-60 max-w-full max-md:mb-1.5 max-md:h-11" />,
})
const QuestionBlocks = lazyComponent(() => import('./QuestionBlocks.tsx'), { silent: true })

/** Tells whether a question may be higher than its bubble, also on a phone: then the keyboard must reach the bubble. */
const mayScroll = (text: string): boolean => text.length > 250 || text.split('\n', 16).length > 15

/** Shows a question as written, in a soft bubble. */
export function QuestionBubble({
  message,
  className = 'max-h-120',
}: {
  message: Message
  className?: string
}) {
  const recording = getRecordingId(message)
  return (
    <div
      dir="auto"
      tabIndex={mayScroll(message.text) ? 0 : undefined}
      className={`${className} max-w-[85%] overflow-y-auto rounded-[18px] bg-fill px-4 py-2.5 text-reading leading-7 wrap-anywhere whitespace-pre-wrap`}
    >
      {recording && <QuestionRecording id={recording} />}
      <FoldedText text={message.text} />
    </div>
  )
}

/** Links to the documents of a question. */
export function QuestionDocuments({ message }: { message: Message }) {
  const documents = listDocuments(message)
  return documents.length > 0 && <QuestionBlocks ids={documents} />
}
