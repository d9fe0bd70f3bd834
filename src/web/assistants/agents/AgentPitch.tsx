import { Link } from '@inertiajs/react'
import { FileText } from 'lucide-react'
import { useUser } from '#web/core/user.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { SignInLink } from '#web/ui/SignInGate.tsx'

const { pitch } = agentsText

/** Explains to somebody without an agent of their own what one is, and how to make it. */
export function AgentPitch() {
  const isSignedIn = useUser() !== null
  return (
    <section
      aria-label={agentsText.create}
      className="mb-8 grid items-center gap-x-10 gap-y-7 rounded-2xl bg-fill/60 p-6 md:p-9 lg:grid-cols-[5fr_4fr]"
    >
      <div>
        <h2 className="text-xl font-semibold">{pitch.title}</h2>
        <p className="mt-2 max-w-lg text-reading text-ink2">{pitch.text}</p>
        <ol className="mt-5 flex flex-wrap gap-x-6 gap-y-2">
          {pitch.steps.map((step, n) => (
            <li key={step} className="flex items-center gap-2">
              <span className="grid size-5.5 place-items-center rounded-full border border-line2 bg-panel text-xs text-ink2 tabular-nums">
                {n + 1}
              </span>
              {step}
            </li>
          ))}
        </ol>
        <div className="mt-6">
          {isSignedIn ? (
            <Link href="/agent/create" className={buttonClass({ variant: 'primary', size: 'lg' })}>
              {agentsText.create}
            </Link>
          ) : (
            <SignInLink to="/agent/create" variant="primary" size="lg">
              {agentsText.create}
            </SignInLink>
          )}
        </div>
      </div>
      <Sample />
    </section>
  )
}

/** A sample answer of an agent. */
const Sample = () => (
  <div aria-hidden className="flex flex-col gap-4 rounded-2xl border bg-raised p-5 shadow-soft max-lg:hidden">
    <p className="ml-auto rounded-2xl bg-fill px-3.5 py-2">{pitch.question}</p>
    <p className="leading-reading">
      {pitch.answer}
      <span className="mx-1 rounded-full bg-accent-soft px-1.5 py-0.5 text-xs text-accent">1</span>。
    </p>
    <p className="flex items-center gap-2 self-start rounded-full border py-1 pr-3 pl-1.5 text-note">
      <span className="grid size-5 place-items-center rounded-full bg-fill2 text-xs text-ink2">1</span>
      <FileText size={14} className="text-ink2" />
      {pitch.source}
      <span className="text-xs text-ink3">{pitch.place}</span>
    </p>
  </div>
)
