import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { uploadMessages } from '#contract/uploads.ts'
import { ApiError } from '#web/core/api.ts'
import { filesText } from '#web/text/files.ts'
import { picturesText } from '#web/text/pictures.ts'
import { Button } from '#web/ui/Button.tsx'
import { FileInput } from '#web/ui/form/FileInput.tsx'
import { getUploadModule } from '../uploadModule.ts'
import { isBusy } from '../uploadStore.ts'
import { drawCrop, type Crop } from './crop.ts'
import { CropDialog } from './CropDialog.tsx'

type Props = {
  label: string
  /** Draws the picture as it is shown elsewhere, or a stand-in for ''. */
  renderPicture: (url: string) => ReactNode
  /** URL of the picture, as the server or the last `onChange` gave it; '' for none. */
  value: string
  /** Receives the URL of an upload, for a field `avatar` or `logo` of a call, or ''. The field waits for the promise. */
  onChange: (url: string) => void | Promise<void>
}

/**
 * A picture of a person, an agent or an organization: chosen or dropped, cropped to a square, uploaded and shown, or removed. The
 * server makes a public picture of the upload when it is saved.
 */
export function PictureField({ label, renderPicture, value, onChange }: Props) {
  const id = useId()
  const field = useRef<HTMLDivElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const upload = useRef<AbortController>(null)
  const [image, setImage] = useState<HTMLImageElement | null>(null)
  /** Nobody can load an upload before it is saved, so until then the field shows a local preview. */
  const [uploaded, setUploaded] = useState({ url: '', preview: '' })
  const [status, setStatus] = useState<string | null>(null)
  const [error, setError] = useState('')
  useEffect(() => () => upload.current?.abort(), [])

  const open = async (file: File | undefined) => {
    if (!file || status !== null) return
    setError('')
    const chosenImage = new Image()
    chosenImage.src = URL.createObjectURL(file)
    // An SVG may have no size of its own.
    const isPicture = await chosenImage.decode().then(
      () => chosenImage.naturalWidth > 0 && chosenImage.naturalHeight > 0,
      () => false,
    )
    if (isPicture) return setImage(chosenImage)
    URL.revokeObjectURL(chosenImage.src)
    setError(picturesText.unreadable)
  }
  const close = () => {
    if (image) URL.revokeObjectURL(image.src)
    setImage(null)
  }
  const run = async (change: (signal: AbortSignal) => Promise<void>) => {
    const controller = new AbortController()
    upload.current = controller
    setError('')
    try {
      await change(controller.signal)
    } catch (failure) {
      if (!controller.signal.aborted)
        setError(failure instanceof ApiError ? failure.message : uploadMessages.upload_failed)
    }
    setStatus(null)
  }
  const save = async (url: string) => {
    setStatus(picturesText.saving)
    await onChange(url)
  }
  const send = (source: HTMLImageElement, crop: Crop) =>
    run(async (signal) => {
      if (isBusy()) return setError(uploadMessages.unfinished)
      setStatus(filesText.uploading(0))
      const { file, preview } = await drawCrop(source, crop)
      const { uploadPicture } = await getUploadModule()
      const onProgress = (percent: number) => setStatus(filesText.uploading(percent))
      const url = await uploadPicture(file, { signal, onProgress })
      setUploaded({ url, preview })
      await save(url)
    })
  const onDropped = useEffectEvent(open)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    // Otherwise the browser would open the file in place of the page.
    field.current?.addEventListener('dragover', (event) => event.preventDefault(), { signal })
    const onDrop = (event: DragEvent) => {
      event.preventDefault()
      void onDropped(event.dataTransfer?.files[0])
    }
    field.current?.addEventListener('drop', onDrop, { signal })
    return () => controller.abort()
  }, [])
  const shownUrl = value && value === uploaded.url ? uploaded.preview : value
  return (
    <div
      ref={field}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-note`}
      className="flex items-center gap-4"
    >
      {renderPicture(shownUrl)}
      <div className="flex min-w-0 flex-col gap-1.5">
        <p id={`${id}-label`} className="text-note font-medium">
          {label}
        </p>
        <div className="flex flex-wrap gap-2">
          <FileInput ref={picker} picture onFiles={([file]) => void open(file)} />
          <Button size="sm" pending={status !== null} onClick={() => picker.current?.click()}>
            {value ? picturesText.change : picturesText.choose}
          </Button>
          {value && (
            <Button
              size="sm"
              variant="ghost"
              disabled={status !== null}
              onClick={() => void run(() => save(''))}
            >
              {picturesText.remove}
            </Button>
          )}
        </div>
        <p
          id={`${id}-note`}
          aria-live="polite"
          className={`text-note tabular-nums ${error ? 'text-danger' : 'text-ink3'}`}
        >
          {error || (status ?? picturesText.hint)}
        </p>
      </div>
      <CropDialog
        image={image}
        onClose={close}
        onCrop={(crop) => {
          close()
          if (image) void send(image, crop)
        }}
      />
    </div>
  )
}
