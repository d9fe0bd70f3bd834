import { Download, ExternalLink, RotateCw, Trash2 } from 'lucide-react'
import type { Block } from '#contract/blocks.ts'
import { blocksText } from '#web/text/blocks.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import type { MenuItem } from '#web/ui/Menu.tsx'
import { withToast } from '#web/ui/withToast.ts'
import { invalidateBlocks, isBeingRead, rememberBlock } from '#web/files/files.ts'
import { blockCalls, type Reread } from './queries.ts'

/** Tells whether a document is a web page: only the text read from it is kept, and `url` is its own address. */
export const isLink = ({ md5 }: Block): boolean => md5 === null

/** Has a document read again, as `how` says. */
export async function rereadBlock(block: Block, how: Reread = {}): Promise<void> {
  const response = await withToast(() => blockCalls.retry(block, how), {
    done: blocksText.rereadStarted,
    failed: blocksText.rereadFailed,
  })
  if (response) rememberBlock(response.data)
  await invalidateBlocks()
}

export async function stopReading(block: Block): Promise<void> {
  const stopped = await withToast(() => blockCalls.cancel(block))
  if (stopped) rememberBlock(stopped.data)
  await invalidateBlocks()
}

const createSourceItem = (block: Block): MenuItem =>
  isLink(block)
    ? {
        label: blocksText.openSource,
        icon: <ExternalLink size={16} />,
        onSelect: () => void window.open(block.url, '_blank', 'noopener,noreferrer'),
      }
    : {
        label: blocksText.download,
        icon: <Download size={16} />,
        onSelect: () => location.assign(`${block.url}?download`),
      }

export const createBlockItems = (block: Block, onRemove: () => void): (MenuItem | 'separator')[] => [
  createSourceItem(block),
  {
    label: blocksText.reread,
    icon: <RotateCw size={16} />,
    disabled: isBeingRead(block),
    onSelect: () => void rereadBlock(block),
  },
  'separator',
  { label: blocksText.remove, icon: <Trash2 size={16} />, danger: true, onSelect: onRemove },
]

type DeleteProps = { block: Block | null; onClose: () => void; onDeleted?: () => void }

export function DeleteBlockDialog({ block, onClose, onDeleted }: DeleteProps) {
  const remove = async () => {
    if (!block) return
    const words = { done: blocksText.removed, failed: blocksText.removeFailed }
    const isDone = (await withToast(async () => (await blockCalls.remove(block), true), words)) !== null
    if (isDone) onDeleted?.()
    await invalidateBlocks()
  }
  return (
    <ConfirmDialog
      open={block !== null}
      onOpenChange={onClose}
      title={blocksText.removeTitle}
      description={blocksText.removeText(block?.name ?? '')}
      confirmLabel={blocksText.remove}
      danger
      onConfirm={remove}
    />
  )
}
