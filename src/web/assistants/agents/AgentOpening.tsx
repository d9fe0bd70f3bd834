import { Markdown } from '#web/markdown/markdown.tsx'
import { agentsText } from '#web/text/agents/agents.ts'
import { AgentLogo } from './AgentLogo.tsx'

type Props = {
  agent: { name: string; logo: string; welcome: string; prompts: readonly string[] }
  /** The reason why the agent cannot answer much yet. */
  note?: string | null
  onChoose?: (prompt: string) => void
}

/** Opens a conversation with an agent: its welcome, and suggested prompts that a click asks. */
export function AgentOpening({ agent: { name, logo, welcome, prompts }, note, onChoose }: Props) {
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4 pb-4">
      <div className="mx-auto mt-auto w-full max-w-3xl">
        <AgentLogo name={name} logo={logo} size="lg" />
        {welcome && (
          <div className="mt-4">
            <Markdown text={welcome} streaming={false} />
          </div>
        )}
        {note && <p className="mt-3 rounded-xl bg-fill px-3.5 py-2.5 text-note text-ink2">{note}</p>}
        {prompts.length > 0 && (
          <ul aria-label={agentsText.suggestions} className="mt-4 flex flex-col gap-2">
            {prompts.map((prompt) => (
              <li key={prompt}>
                <button
                  type="button"
                  onClick={() => onChoose?.(prompt)}
                  className="min-h-11 w-full rounded-xl border px-3.5 py-2 text-left wrap-anywhere transition-colors hover:border-line2 hover:bg-fill/60"
                >
                  {prompt}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
