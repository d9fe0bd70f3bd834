import { BookOpen, Code, Languages, PenLine } from 'lucide-react'
import { useIsHydrated } from '#web/core/useIsHydrated.ts'
import { chatText } from '#web/text/chat.ts'

const icons = { explain: BookOpen, write: PenLine, translate: Languages, code: Code }

/** Heading of an empty conversation. `name` is null for a guest. */
export function Greeting({ name }: { name: string | null }) {
  // The server's HTML uses the hour in China.
  const now = new Date()
  const hour = useIsHydrated() ? now.getHours() : (now.getUTCHours() + 8) % 24
  return (
    <>
      {/* The hour may have struck on the way. */}
      <h1
        suppressHydrationWarning
        className="font-display text-title leading-tight font-semibold tracking-wide max-md:text-title-sm"
      >
        {chatText.greeting(hour, name)}
      </h1>
      <p className="mt-2 text-reading text-ink2">{chatText.greetingLine}</p>
    </>
  )
}

/** Questions to begin with; choosing one writes it into the composer, where it can still be changed. */
export function Examples({ onChoose }: { onChoose: (prompt: string) => void }) {
  return (
    <ul className="grid grid-cols-4 gap-2.5 max-lg:grid-cols-2">
      {chatText.examples.map(({ icon, title, line, prompt }) => {
        const Icon = icons[icon]
        return (
          <li key={title}>
            <button
              type="button"
              onClick={() => onChoose(prompt)}
              className="h-full w-full rounded-2xl border px-4 py-3.5 text-left transition-colors hover:border-line2 hover:bg-fill/60"
            >
              <span className="flex items-center gap-2 font-medium">
                <Icon size={16} aria-hidden className="shrink-0 text-accent" />
                {title}
              </span>
              <span className="mt-1 block text-note leading-5 text-ink2">{line}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
