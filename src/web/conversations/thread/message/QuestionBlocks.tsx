import { Link } from '@inertiajs/react'
import { FileX } from 'lucide-react'
import { isNotFound } from '#web/core/api.ts'
import { FileIcon, formatBytes, useBlock } from '#web/files/files.ts'
import { blocksText } from '#web/text/blocks.ts'

/** Links to the documents of a question, above it. */
export default function QuestionBlocks({ ids }: { ids: string[] }) {
  return (
    <ul aria-label={blocksText.title} className="mb-1.5 flex flex-wrap justify-end gap-1.5">
      {ids.map((id) => (
        <li key={id} className="max-w-72 min-w-0">
          <BlockCard id={id} />
        </li>
      ))}
    </ul>
  )
}

function BlockCard({ id }: { id: string }) {
  const { data: block, error } = useBlock(id)
  const isPicture = block?.type.startsWith('image/')
  if (error && !block) {
    return (
      <p className="flex items-center gap-2 rounded-xl border px-3 py-2 text-note text-ink3">
        <FileX size={15} aria-hidden className="shrink-0" />
        {isNotFound(error) ? blocksText.gone : blocksText.detailFailed}
      </p>
    )
  }
  return (
    <Link
      href={`/block/${id}`}
      aria-label={block ? undefined : blocksText.title}
      className="flex min-h-12 min-w-36 items-center gap-2.5 rounded-xl border bg-panel py-1.5 pr-3 pl-1.5 transition-colors hover:bg-fill"
    >
      {isPicture ? (
        <img src={block?.url} alt="" className="size-9 shrink-0 rounded-lg object-cover" />
      ) : (
        <FileIcon type={block?.type ?? ''} name={block?.name ?? ''} />
      )}
      <span className="min-w-0">
        <span className="block truncate text-note font-medium">{block?.name}</span>
        <span className="block text-xs text-ink3 tabular-nums">{block && formatBytes(block.size)}</span>
      </span>
    </Link>
  )
}
