import { Link, router, usePage } from '@inertiajs/react'
import { ChevronLeft, FileX, MoreHorizontal } from 'lucide-react'
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react'
import type { Block } from '#contract/blocks.ts'
import { parsePassageSpan, type PassageSpan } from '#contract/documents/passages.ts'
import { isUnknownId } from '#web/core/api.ts'
import { formatDateTime } from '#web/core/format.ts'
import { FileIcon, formatBytes, isAskable, useBlock } from '#web/files/files.ts'
import { blocksText } from '#web/text/blocks.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { SplitView } from '#web/ui/layout/SplitView.tsx'
import { createBlockItems, DeleteBlockDialog, isLink, rereadBlock, stopReading } from './blockActions.tsx'
import { DocumentChat } from './DocumentChat.tsx'
import { DocumentView } from './DocumentView.tsx'
import { Original } from './Original.tsx'

const LIST_URL = '/block'

type Props = {
  id: string
  renderChat: ComponentProps<typeof DocumentChat>['renderChat']
  /** The frame of a page, with its title and its part of the top bar. */
  renderPage: (page: { title: string; header: ReactNode; children: ReactNode }) => ReactNode
}

/** The page of a document: its facts, how its reading went, its contents and a conversation about it. */
export function BlockPage({ id, renderChat, renderPage }: Props) {
  const query = useBlock(id)
  const block = query.data
  const isGone = isUnknownId(query.error)
  const goneNotice = (
    <EmptyState
      icon={<FileX size={28} />}
      title={blocksText.gone}
      description={blocksText.goneHint}
      action={
        <Link href={LIST_URL} className={buttonClass()}>
          {blocksText.back}
        </Link>
      }
    />
  )
  return renderPage({
    title: block?.name ?? blocksText.title,
    header: block && <BlockHeader block={block} />,
    children: (
      <>
        {!block && <h1 className="sr-only">{blocksText.title}</h1>}
        {isGone ? (
          goneNotice
        ) : (
          <QueryView query={query} failed={blocksText.loadFailed} skeleton={<ContentSkeleton />}>
            {(block) => (
              <BlockContent block={block} chat={<DocumentChat block={block} renderChat={renderChat} />} />
            )}
          </QueryView>
        )}
      </>
    ),
  })
}

/** The document's name and facts, and a menu of actions. */
function BlockHeader({ block }: { block: Block }) {
  const [blockToRemove, setBlockToRemove] = useState<Block | null>(null)
  const { name, type, size, chars, status, created_at } = block
  const facts = [
    formatBytes(size),
    ...(status === 2 ? [blocksText.ready(chars)] : []),
    formatDateTime(created_at).slice(0, 16),
  ]
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2 md:-ml-1 md:gap-3">
      <Link
        href={LIST_URL}
        aria-label={blocksText.back}
        data-tooltip={blocksText.back}
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-ink2 transition-colors hover:bg-fill hover:text-ink max-md:-mr-2 max-md:size-11"
      >
        <ChevronLeft size={18} aria-hidden />
      </Link>
      <span className="max-md:hidden">
        <FileIcon type={type} name={name} link={isLink(block)} />
      </span>
      <div className="min-w-0 flex-1">
        <h1 className="truncate leading-5 font-semibold" title={name}>
          {name}
        </h1>
        <p className="truncate text-xs leading-4.5 text-ink3 tabular-nums">{facts.join(' · ')}</p>
      </div>
      <Menu
        placement="bottom-end"
        items={createBlockItems(block, () => setBlockToRemove(block))}
        trigger={(trigger) => (
          <IconButton {...trigger} label={blocksText.menu(name)}>
            <MoreHorizontal size={18} aria-hidden />
          </IconButton>
        )}
      />
      <DeleteBlockDialog
        block={blockToRemove}
        onClose={() => setBlockToRemove(null)}
        onDeleted={() => router.visit(LIST_URL)}
      />
    </div>
  )
}

function BlockContent({ block, chat }: { block: Block; chat: ReactNode }) {
  const target = useTarget()
  // On phones the document takes the place of the answer when a citation opens a passage.
  const shownSide = useMemo(() => ({ side: 'left' as const, target }), [target])
  const content = <Preview block={block} target={target} />
  if (!isAskable(block)) return content
  return (
    <SplitView
      name="block"
      labels={{ tabs: blocksText.tabs, resize: blocksText.resize }}
      defaultPercent={58}
      left={{ label: blocksText.documentTab, content }}
      right={{ label: blocksText.chatTab, content: chat }}
      shownSide={shownSide}
    />
  )
}

/** The passage that the address names; each visit gives a new object, so that the same passage is shown again. */
function useTarget(): PassageSpan | null {
  const page = usePage()
  return useMemo(() => parsePassageSpan(new URL(page.url, location.origin).searchParams), [page])
}

function Preview({ block, target }: { block: Block; target: PassageSpan | null }) {
  if (block.status === 2) return <DocumentView block={block} target={target} />
  if (block.status === 3)
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <EmptyState
          icon={<FileX size={28} />}
          title={blocksText.readFailed}
          {...(block.error ? { description: block.error } : {})}
          action={<Button onClick={() => void rereadBlock(block)}>{blocksText.reread}</Button>}
        />
        <Original block={block} />
      </div>
    )
  return <Progress block={block} />
}

/** Stands in the place of the preview, which a document has only when it has been read (specification section 4). */
function Progress({ block }: { block: Block }) {
  const { done = 0, total = null, seconds_left = null, delay = null } = block.progress ?? {}
  return (
    <div className="flex flex-col items-center gap-4 px-6 py-16 text-center">
      <p role="status" className="font-medium">
        {delay ?? blocksText.reading}
      </p>
      {delay === null && (
        <>
          <div className="h-1.5 w-full max-w-xs overflow-hidden rounded-full bg-fill2">
            <div
              role="progressbar"
              aria-label={blocksText.reading}
              {...(total ? { 'aria-valuenow': Math.round((done / total) * 100) } : {})}
              className={`h-full rounded-full bg-accent transition-[width] ${total ? '' : 'w-1/3 animate-shimmer'}`}
              {...(total ? { style: { width: `${(done / total) * 100}%` } } : {})}
            />
          </div>
          <p className="text-note text-ink2 tabular-nums">
            {block.status === 0 ? blocksText.waiting : blocksText.progress(done, total)}
            {seconds_left !== null && ` · ${blocksText.secondsLeft(seconds_left)}`}
          </p>
        </>
      )}
      <Button size="sm" onClick={() => void stopReading(block)}>
        {blocksText.stop}
      </Button>
    </div>
  )
}

const ContentSkeleton = () => (
  <div className="mx-auto flex w-full max-w-4xl flex-col gap-3 px-4 py-6 md:px-6">
    {['w-1/3', 'w-full', 'w-11/12', 'w-4/5'].map((width) => (
      <Skeleton key={width} className={`h-4 ${width}`} />
    ))}
  </div>
)
