import { Check, RotateCw, X } from 'lucide-react'
import type { AgentEmbed } from '#contract/agents/agents.ts'
import { FileIcon, formatBytes } from '#web/files/files.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { IconButton } from '#web/ui/IconButton.tsx'

type Props = { embed: AgentEmbed; onRetry: () => void; onRemove: () => void }

/** A source of an agent: the server's progress with it, or why it could not be used. */
export function SourceRow({ embed, onRetry, onRemove }: Props) {
  const { id, name, type, size, link, status, percent, error, delay, chunks } = embed
  const isRunning = status < 2
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <FileIcon type={type} name={name} link={link !== null} />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline justify-between gap-3">
          <a
            href={`/block/${id}`}
            target="_blank"
            rel="noopener"
            title={name}
            className="truncate font-medium hover:underline"
          >
            {name}
          </a>
          {size > 0 && <span className="shrink-0 text-note text-ink3 tabular-nums">{formatBytes(size)}</span>}
        </p>
        {isRunning && (
          <div className="my-1.5 h-1 overflow-hidden rounded-full bg-fill2">
            <div
              role="progressbar"
              aria-label={name}
              aria-valuenow={percent}
              className="h-full rounded-full bg-accent transition-[width]"
              style={{ width: `${percent}%` }}
            />
          </div>
        )}
        {isRunning && <p className="text-note text-ink2 tabular-nums">{delay ?? text.progress(percent)}</p>}
        {status === 2 && (
          <p className="flex items-center gap-1.5 text-note text-ink3 tabular-nums">
            <Check size={14} aria-hidden className="text-success" />
            {text.ready(chunks)}
          </p>
        )}
        {status === 3 && <p className="text-note text-danger">{error ?? text.sourceFailed}</p>}
      </div>
      <div className="flex shrink-0">
        {status === 3 && (
          <IconButton size="sm" label={text.retry(name)} onClick={onRetry}>
            <RotateCw size={15} aria-hidden />
          </IconButton>
        )}
        <IconButton size="sm" label={text.remove(name)} onClick={onRemove}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}
