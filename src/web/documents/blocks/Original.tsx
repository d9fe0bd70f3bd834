import { type Ref, useState } from 'react'
import type { Block } from '#contract/blocks.ts'
import { blocksText } from '#web/text/blocks.ts'

/** The way a browser can show the file itself; `text` where only the text read from it can be shown. */
export function getOriginalKind({ type, format, md5 }: Block): 'pdf' | 'image' | 'audio' | 'video' | 'text' {
  // A web page has no file, only the text read from it.
  if (md5 === null) return 'text'
  if (format === 'pdf') return 'pdf'
  if (/^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(type)) return 'image'
  if (type.startsWith('audio/')) return 'audio'
  return type.startsWith('video/') ? 'video' : 'text'
}

/** A picture, or the player of a recording; nothing for other files. */
export function Original({ block, player }: { block: Block; player?: Ref<HTMLMediaElement> }) {
  const kind = getOriginalKind(block)
  const [hasFailed, setHasFailed] = useState(false)
  if (kind === 'image')
    return (
      <div className="flex min-h-0 flex-1 items-center justify-center bg-fill p-4">
        <img
          src={block.url}
          alt={block.name}
          className="max-h-full max-w-full rounded-lg object-contain shadow-soft"
        />
      </div>
    )
  if (kind !== 'audio' && kind !== 'video') return null
  const refProps = player ? { ref: player as Ref<never> } : {}
  const onError = () => setHasFailed(true)
  const mediaProps = {
    src: block.url,
    controls: true,
    preload: 'metadata',
    'aria-label': block.name,
    onError,
  } as const
  return (
    <div className="mx-auto w-full max-w-4xl shrink-0 px-4 pb-3 md:px-6">
      {hasFailed && (
        <p role="status" className="rounded-xl bg-fill px-4 py-3 text-note text-ink2">
          {blocksText.mediaFailed}
        </p>
      )}
      {/* A recording brings no captions of its own: what is said in it stands below, as text. */}
      {!hasFailed && kind === 'audio' && (
        <audio {...mediaProps} {...refProps} className="w-full">
          <track kind="captions" />
        </audio>
      )}
      {!hasFailed && kind === 'video' && (
        <video {...mediaProps} {...refProps} className="max-h-[50dvh] w-full rounded-xl bg-black">
          <track kind="captions" />
        </video>
      )}
    </div>
  )
}
