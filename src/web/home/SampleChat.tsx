import type { ReactNode } from 'react'
import { homeText } from '#web/text/site/home.ts'
import { Logo } from '#web/ui/Logo.tsx'

/** What a conversation looks like: a drawing made of text, not a live one. */
export function SampleChat({ children }: { children?: ReactNode }) {
  return (
    <figure
      aria-label={homeText.example}
      className="flex flex-col gap-5 rounded-3xl border bg-panel p-6 text-reading leading-reading shadow-soft md:p-8"
    >
      <p className="max-w-[85%] self-end rounded-2xl bg-fill px-4 py-2">{homeText.question}</p>
      <div className="flex gap-3.5">
        <span className="mt-1">
          <Logo size={22} />
        </span>
        <div className="flex flex-col gap-2.5">
          <p>{homeText.answer[0]}</p>
          <ul className="list-disc space-y-1 pl-5 marker:text-ink3">
            {homeText.answer.slice(1).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p>{homeText.answerEnd}</p>
        </div>
      </div>
      {children}
    </figure>
  )
}
