import { Link, router } from '@inertiajs/react'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { homeText } from '#web/text/site/home.ts'
import { RecordedRun } from './RecordedRun.tsx'

type ChatProps = {
  chatbot: string
  sess_id: null
  renderEmpty: (ask: (prompt: string) => void) => ReactNode
  onNew: () => void
  onFork: (sessId: string) => void
  onSession: (sessId: string) => void
}

/** A sample conversation, replaced by a real one when a question is chosen; the chat's code is loaded only then. */
export function LiveDemo({ renderChat }: { renderChat: (props: ChatProps, key: number) => ReactNode }) {
  const [question, setQuestion] = useState<string | null>(null)
  const [sessId, setSession] = useState<string | null>(null)
  const [key, setKey] = useState(0)
  const startChat = (prompt: string) => {
    setQuestion(prompt)
    setSession(null)
    setKey(key + 1)
  }
  if (question === null) {
    return (
      <RecordedRun>
        <div className="border-t pt-4">
          <p className="mb-3 text-note text-ink2">{homeText.demoHint}</p>
          <QuestionList onChoose={startChat} />
        </div>
      </RecordedRun>
    )
  }
  return (
    <section
      aria-label={homeText.demo}
      className="flex h-136 max-h-[85dvh] min-w-0 flex-col overflow-hidden rounded-3xl border bg-panel shadow-soft"
    >
      {renderChat(
        {
          chatbot: 'dati',
          sess_id: null,
          onSession: setSession,
          onNew: () => startChat(''),
          onFork: (id) => router.visit(`/chat?sess_id=${id}`),
          renderEmpty: (ask) => <FirstQuestion question={question} ask={ask} />,
        },
        key,
      )}
      {sessId && (
        <Link
          href={`/chat?sess_id=${sessId}`}
          className="flex h-11 shrink-0 items-center justify-center gap-1.5 border-t text-note text-ink2 hover:text-ink"
        >
          {homeText.demoMore}
          <ArrowRight size={15} aria-hidden />
        </Link>
      )}
    </section>
  )
}

/** Asks the chosen question once; without one, offers the choice again. */
function FirstQuestion({ question, ask }: { question: string; ask: (prompt: string) => void }) {
  const isAsked = useRef(false)
  const onShown = useEffectEvent(() => {
    if (!question || isAsked.current) return
    isAsked.current = true
    ask(question)
  })
  useEffect(() => onShown(), [])
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-end overflow-y-auto px-4 pb-4">
      {!question && (
        <>
          <p className="mb-3 text-ink2">{homeText.demoEmpty}</p>
          <QuestionList onChoose={ask} isShort />
        </>
      )}
    </div>
  )
}

function QuestionList({
  onChoose,
  isShort = false,
}: {
  onChoose: (prompt: string) => void
  isShort?: boolean
}) {
  const chipClass =
    'rounded-full border px-3.5 py-1.5 text-left text-note transition-colors hover:border-line2 hover:bg-fill max-md:min-h-11'
  return (
    <ul className="flex flex-wrap gap-2">
      {homeText.demoQuestions.map((prompt) => (
        <li key={prompt}>
          <button type="button" className={chipClass} onClick={() => onChoose(prompt)}>
            {prompt}
          </button>
        </li>
      ))}
      {!isShort && (
        <li>
          <button
            type="button"
            className={`${chipClass} font-medium text-accent`}
            onClick={() => onChoose('')}
          >
            {homeText.demoOwn}
          </button>
        </li>
      )}
    </ul>
  )
}
