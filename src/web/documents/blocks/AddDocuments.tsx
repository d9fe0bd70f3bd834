import { router } from '@inertiajs/react'
import { Upload } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { UserInfo } from '#contract/users.ts'
import {
  BLOCK_CHANNEL,
  embedLink,
  FileDrop,
  getUploadModule,
  invalidateBlocks,
  LinkField,
  rememberBlock,
  removeUpload,
  UploadRow,
  useUploads,
} from '#web/files/files.ts'
import { blocksText } from '#web/text/blocks.ts'
import { filesText } from '#web/text/files.ts'
import { Button } from '#web/ui/Button.tsx'
import { FileInput } from '#web/ui/form/FileInput.tsx'
import { withModule } from '#web/ui/lazy/withModule.ts'
import { blockCalls } from './queries.ts'

/** Adds files by picker, drag and paste, and web pages by address; uploads on their way stand below. */
export function AddDocuments({ user }: { user: UserInfo }) {
  const picker = useRef<HTMLInputElement>(null)
  const uploads = useUploads((state) => state.uploads).filter(({ channel }) => channel === BLOCK_CHANNEL)
  const add = (files: File[]) =>
    void withModule(getUploadModule, ({ addUploads }) =>
      addUploads(files, { channel: BLOCK_CHANNEL, level: user.level }),
    )
  const onPasted = useEffectEvent(add)
  useEffect(() => {
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])]
      if (files.length) onPasted(files)
    }
    addEventListener('paste', onPaste)
    return () => removeEventListener('paste', onPaste)
  }, [])
  const finishedUploads = uploads.filter(({ state }) => state === 'done')
  const onFinished = useEffectEvent(() => {
    for (const { key, block } of finishedUploads) {
      if (block) rememberBlock(block)
      removeUpload(key)
    }
    if (finishedUploads.length) void invalidateBlocks()
  })
  // A finished upload leaves this list, because the document stands in the list of all documents.
  useEffect(() => onFinished(), [finishedUploads.length])
  return (
    <div className="mb-6 flex flex-col gap-3">
      <FileDrop onFiles={add} />
      <div className="grid gap-x-8 gap-y-5 rounded-2xl border border-dashed border-line2 p-4 md:grid-cols-[2fr_3fr] md:p-5">
        <div>
          <FileInput ref={picker} onFiles={add} />
          <Button variant="primary" className="h-10!" onClick={() => picker.current?.click()}>
            <Upload size={16} aria-hidden />
            {blocksText.choose}
          </Button>
          <p className="mt-2 text-note text-ink3">{blocksText.chooseHint}</p>
        </div>
        <div className="max-md:border-t max-md:pt-5 md:border-l md:pl-8">
          <LinkField
            label={blocksText.link}
            placeholder={blocksText.linkPlaceholder}
            action={blocksText.linkAdd}
            onAdd={addLink}
          />
          <p className="mt-2 text-note text-ink3">{blocksText.linkHint}</p>
        </div>
      </div>
      {uploads.length > 0 && (
        <ul aria-label={filesText.uploads} className="divide-y rounded-xl border">
          {uploads.map((upload) => (
            <UploadRow key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
    </div>
  )
}

async function addLink(url: string): Promise<boolean> {
  const response = await embedLink(() => blockCalls.addLink(url))
  if (!response) return false
  rememberBlock(response.data)
  void invalidateBlocks()
  router.visit(`/block/${response.data.id}`)
  return true
}
