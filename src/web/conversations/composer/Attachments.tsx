import { Link } from '@inertiajs/react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { X } from 'lucide-react'
import type { Block } from '#contract/blocks.ts'
import {
  describeReading,
  isAskable,
  rememberBlock,
  useBlock,
  describeUpload,
  FileDrop,
  FileIcon,
  getUploadModule,
  UploadActions,
  useUploads,
  type Upload,
} from '#web/files/files.ts'
import { isUnknownId } from '#web/core/api.ts'
import { attachmentsText } from '#web/text/attachments.ts'
import { filesText } from '#web/text/files.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { updateAttachments, useAttachments, type Attachment } from './attachmentStore.ts'

type Props = { conversationKey: string; onFiles: (files: File[]) => void }

/** The files beside a question, with their progress and actions. Accepts files dropped on the page. */
export default function Attachments({ conversationKey, onFiles }: Props) {
  const attachments = useAttachments(conversationKey)
  return (
    <>
      <FileDrop onFiles={onFiles} />
      {attachments.length > 0 && (
        <ul aria-label={attachmentsText.attachments} className="flex flex-wrap gap-2 px-3 pt-3">
          {attachments.map((attachment) => (
            <AttachmentChip key={attachment.key} {...{ conversationKey, attachment }} />
          ))}
        </ul>
      )}
    </>
  )
}

type ChipProps = { conversationKey: string; attachment: Attachment }

function AttachmentChip({ conversationKey, attachment }: ChipProps) {
  const { key, name, block_id } = attachment
  const upload = useUploads(({ uploads }) => uploads.find((one) => one.key === key))
  const update = (patch: Partial<Attachment>) =>
    updateAttachments(conversationKey, (all) =>
      all.map((one) => (one.key === key ? { ...one, ...patch } : one)),
    )
  const remove = () => {
    updateAttachments(conversationKey, (all) => all.filter((one) => one.key !== key))
    void getUploadModule().then(({ cancelUpload }) => cancelUpload(key))
  }
  const uploadedBlock = upload?.block ?? null
  const onUploaded = useEffectEvent(() => {
    if (!uploadedBlock) return
    rememberBlock(uploadedBlock)
    update({ block_id: uploadedBlock.id, isAskable: isAskable(uploadedBlock) })
  })
  useEffect(() => onUploaded(), [uploadedBlock])
  // The upload was cancelled where it is also listed.
  const isGone = !upload && !block_id
  const onGone = useEffectEvent(() => isGone && remove())
  useEffect(() => void onGone(), [isGone])
  if (block_id)
    return (
      <ReadChip
        id={block_id}
        name={name}
        onState={(block, isAskable) => update({ name: block.name, isAskable })}
        onRemove={remove}
      />
    )
  return upload ? <UploadChip upload={upload} onRemove={remove} /> : null
}

function UploadChip({ upload, onRemove }: { upload: Upload; onRemove: () => void }) {
  const { name, type, state } = upload
  return (
    <Chip {...{ name, type, onRemove }} state={describeUpload(upload)} hasFailed={state === 'failed'}>
      <UploadActions upload={upload} onRemove={null} />
    </Chip>
  )
}

type ReadProps = {
  id: string
  name: string
  onState: (block: Block, isAskable: boolean) => void
  onRemove: () => void
}

function ReadChip({ id, name, onState, onRemove }: ReadProps) {
  const { data: block, error } = useBlock(id)
  const canAsk = block !== undefined && isAskable(block)
  // A picture may turn out to be damaged while it is read.
  const isKnown = block !== undefined
  const onChange = useEffectEvent(() => {
    if (block) onState(block, canAsk)
  })
  useEffect(() => onChange(), [isKnown, canAsk])
  // The document was deleted after it had been attached.
  const isGone = isUnknownId(error)
  const onGone = useEffectEvent(() => isGone && onRemove())
  useEffect(() => void onGone(), [isGone])
  return (
    <Chip
      {...{ onRemove }}
      name={block?.name ?? name}
      type={block?.type ?? ''}
      href={`/block/${id}`}
      state={block ? describeAttachment(block) : name && filesText.saving}
      hasFailed={block?.status === 3 && !canAsk}
    />
  )
}

function describeAttachment(block: Block): string {
  const { visible, status, chars } = block
  if (status === 2 && chars > 0) return attachmentsText.ready(chars)
  if (status > 1 && visible) return attachmentsText.readyPicture
  const state = describeReading(block)
  return status < 2 && isAskable(block) ? attachmentsText.readySoFar(state) : state
}

type ChipViewProps = {
  name: string
  type: string
  state: string | null
  hasFailed: boolean
  href?: string
  onRemove: () => void
  children?: ReactNode
}

function Chip({ name, type, state, hasFailed, href, onRemove, children }: ChipViewProps) {
  return (
    <li className="flex max-w-full min-w-0 items-center gap-2 rounded-xl border bg-panel py-1 pr-1 pl-1.5 md:max-w-80">
      <FileIcon type={type} name={name} />
      <div className="min-w-0 flex-1">
        {href ? (
          <Link href={href} className="block truncate text-note font-medium hover:underline">
            {name}
          </Link>
        ) : (
          <p className="truncate text-note font-medium">{name}</p>
        )}
        <p
          role="status"
          className={`text-xs tabular-nums ${hasFailed ? 'wrap-anywhere text-danger' : 'truncate text-ink3'}`}
        >
          {state}
        </p>
      </div>
      <div className="flex shrink-0">
        {children}
        <IconButton size="sm" label={attachmentsText.remove(name)} onClick={onRemove}>
          <X size={15} aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}
