import { Link } from '@inertiajs/react'
import { FileText, MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import type { Block } from '#contract/blocks.ts'
import { formatDateTime } from '#web/core/format.ts'
import { describeReading, FileIcon, formatBytes, isBeingRead } from '#web/files/files.ts'
import { blocksText } from '#web/text/blocks.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { MoreButton } from '#web/ui/layout/MoreButton.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { createBlockItems, DeleteBlockDialog, isLink } from './blockActions.tsx'
import { useBlocks } from './queries.ts'

/** Every document of the person, the newest first. */
export function BlockList() {
  const query = useBlocks()
  const [blockToRemove, setBlockToRemove] = useState<Block | null>(null)
  return (
    <section aria-label={blocksText.list}>
      <QueryView
        query={query}
        failed={blocksText.failed}
        skeleton={<ListSkeleton />}
        isEmpty={({ pages }) => !pages[0]?.items.length}
        empty={
          <EmptyState
            icon={<FileText size={28} />}
            title={blocksText.empty}
            description={blocksText.emptyHint}
          />
        }
      >
        {({ pages }) => (
          <ul aria-label={blocksText.list} className="divide-y rounded-xl border">
            {pages
              .flatMap(({ items }) => items)
              .map((block) => (
                <BlockRow key={block.id} block={block} onRemove={() => setBlockToRemove(block)} />
              ))}
          </ul>
        )}
      </QueryView>
      <MoreButton query={query} className="mt-3">
        {blocksText.more}
      </MoreButton>
      <DeleteBlockDialog block={blockToRemove} onClose={() => setBlockToRemove(null)} />
    </section>
  )
}

function BlockRow({ block, onRemove }: { block: Block; onRemove: () => void }) {
  const { id, name, type, size, created_at } = block
  const facts = [formatBytes(size), formatDateTime(created_at).slice(0, 16)]
  return (
    <li className="relative flex items-center gap-3 px-3.5 py-2.5 transition-colors first:rounded-t-xl last:rounded-b-xl hover:bg-fill/60">
      <FileIcon type={type} name={name} link={isLink(block)} />
      <div className="min-w-0 flex-1">
        {/* The whole row leads there; the menu lies above it. */}
        <Link
          href={`/block/${id}`}
          className="block truncate font-medium after:absolute after:inset-0 after:rounded-[inherit]"
        >
          {name}
        </Link>
        <p className="truncate text-note text-ink3 tabular-nums">{facts.join(' · ')}</p>
      </div>
      <ReadingState block={block} />
      <div className="relative">
        <Menu
          placement="bottom-end"
          items={createBlockItems(block, onRemove)}
          trigger={(trigger) => (
            <IconButton {...trigger} size="sm" label={blocksText.menu(name)}>
              <MoreHorizontal size={17} aria-hidden />
            </IconButton>
          )}
        />
      </div>
    </li>
  )
}

function ReadingState({ block }: { block: Block }) {
  const words = describeReading(block)
  if (block.status === 3)
    return (
      <span className="max-w-[40%] truncate text-note text-danger" data-tooltip={words}>
        {words}
      </span>
    )
  if (block.progress?.delay)
    return (
      <span className="max-w-[40%] truncate text-note text-warning" data-tooltip={words}>
        {words}
      </span>
    )
  const tone = isBeingRead(block) ? 'animate-shimmer text-accent' : 'text-ink3'
  return <span className={`shrink-0 text-note tabular-nums ${tone}`}>{words}</span>
}

const ListSkeleton = () => (
  <div className="flex flex-col gap-4 rounded-xl border p-3.5">
    {['w-2/5', 'w-1/3', 'w-1/2'].map((width) => (
      <div key={width} className="flex items-center gap-3">
        <Skeleton className="size-9" />
        <Skeleton className={`h-4 ${width}`} />
      </div>
    ))}
  </div>
)
