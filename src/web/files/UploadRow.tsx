import { Pause, Play, RotateCw, X } from 'lucide-react'
import { filesText } from '#web/text/files.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { FileIcon } from './FileIcon.tsx'
import { getUploadModule } from './uploadModule.ts'
import { formatBytes } from './formatBytes.ts'
import { isUnfinished, type Upload } from './uploadStore.ts'

/** Describes the state of an upload; null when it is done, since its block says more. */
export function describeUpload({ state, percent, error }: Upload): string | null {
  switch (state) {
    case 'failed':
      return filesText.failed(error ?? '')
    case 'waiting':
    case 'saving':
      return filesText[state]
    case 'done':
      return null
    default:
      return filesText[state](percent)
  }
}

type ActionsProps = {
  upload: Upload
  /** Null where another button removes the upload. */
  onRemove?: null
}

/** Buttons that pause, resume, retry or cancel an upload. */
export function UploadActions({ upload, onRemove }: ActionsProps) {
  const { key, name, state } = upload
  const run = (action: 'pauseUpload' | 'resumeUpload' | 'cancelUpload') => () =>
    void getUploadModule().then((uploads) => uploads[action](key))
  const canPause = state === 'hashing' || state === 'uploading' || state === 'cut'
  return (
    <>
      {canPause && (
        <IconButton size="sm" label={filesText.pause(name)} onClick={run('pauseUpload')}>
          <Pause size={15} aria-hidden />
        </IconButton>
      )}
      {state === 'paused' && (
        <IconButton size="sm" label={filesText.resume(name)} onClick={run('resumeUpload')}>
          <Play size={15} aria-hidden />
        </IconButton>
      )}
      {state === 'failed' && upload.isRetryable && (
        <IconButton size="sm" label={filesText.retry(name)} onClick={run('resumeUpload')}>
          <RotateCw size={15} aria-hidden />
        </IconButton>
      )}
      {onRemove !== null && (
        <IconButton
          size="sm"
          label={isUnfinished(upload) ? filesText.cancel(name) : filesText.dismiss(name)}
          onClick={run('cancelUpload')}
        >
          <X size={15} aria-hidden />
        </IconButton>
      )}
    </>
  )
}

/** A file on its way, with its progress and actions. */
export function UploadRow({ upload }: { upload: Upload }) {
  const { name, type, size, state, percent } = upload
  const isSending = state === 'uploading' || state === 'paused' || state === 'cut'
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <FileIcon type={type} name={name} />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline justify-between gap-3">
          <span className="truncate font-medium">{name}</span>
          <span className="shrink-0 text-note text-ink3 tabular-nums">{formatBytes(size)}</span>
        </p>
        {isSending && (
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
        <p className={`text-note tabular-nums ${state === 'failed' ? 'text-danger' : 'text-ink2'}`}>
          {describeUpload(upload)}
        </p>
      </div>
      <div className="flex shrink-0">
        <UploadActions upload={upload} />
      </div>
    </li>
  )
}
