import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { picturesText } from '#web/text/pictures.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { centerCrop, clampCrop, getSide, MAX_ZOOM, toWindowStyle, type Crop } from './crop.ts'

type Props = {
  /** A decoded picture; null while none is being cropped. */
  image: HTMLImageElement | null
  onClose: () => void
  onCrop: (crop: Crop) => void
}

/** Asks for a square part of a picture. */
export const CropDialog = ({ image, onClose, onCrop }: Props) => (
  <Dialog
    open={image !== null}
    onOpenChange={(open) => !open && onClose()}
    title={picturesText.crop}
    description={picturesText.cropHint}
  >
    {image && <CropForm image={image} onClose={onClose} onCrop={onCrop} />}
  </Dialog>
)

const MOVES: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** Share of the window by which a key moves the picture. */
const KEY_STEP = 0.05

function CropForm({ image, onClose, onCrop }: Props & { image: HTMLImageElement }) {
  const size = { width: image.naturalWidth, height: image.naturalHeight }
  const [crop, setCrop] = useState(() => centerCrop(size))
  const change = (next: (crop: Crop) => Partial<Crop>) =>
    setCrop((before) => clampCrop(size, { ...before, ...next(before) }))
  /** Moves the picture by shares of the window. */
  const move = (x: number, y: number) =>
    change((before) => ({
      x: before.x - x * getSide(size, before),
      y: before.y - y * getSide(size, before),
    }))
  /** Last position of the dragging pointer. */
  const last = useRef({ x: 0, y: 0 })
  const onPointerDown = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent) => {
    currentTarget.setPointerCapture(pointerId)
    last.current = { x: clientX, y: clientY }
  }
  const onPointerMove = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    const { clientWidth } = currentTarget
    move((clientX - last.current.x) / clientWidth, (clientY - last.current.y) / clientWidth)
    last.current = { x: clientX, y: clientY }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = MOVES[event.key]
    if (!direction) return
    event.preventDefault()
    move(direction[0] * KEY_STEP, direction[1] * KEY_STEP)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onCrop(crop)
      }}
      className="flex flex-col gap-4"
    >
      <button
        type="button"
        aria-label={picturesText.cropArea}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        className="relative mx-auto aspect-square w-full max-w-72 cursor-grab touch-none overflow-hidden rounded-xl bg-fill select-none active:cursor-grabbing"
      >
        <img
          src={image.src}
          alt=""
          draggable={false}
          className="absolute max-w-none"
          style={toWindowStyle(size, crop)}
        />
        {/* Outside of this circle the picture is cut off where it is shown round. */}
        <span
          aria-hidden
          className="pointer-events-none absolute inset-0 rounded-full border-2 border-white/80 shadow-[0_0_0_999px_rgb(0_0_0/0.45)]"
        />
      </button>
      <label className="mx-auto flex w-full max-w-72 items-center gap-3 text-note text-ink2">
        {picturesText.zoom}
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.01}
          value={crop.zoom}
          onChange={({ target }) => change(() => ({ zoom: Number(target.value) }))}
          className="min-w-0 flex-1 accent-accent max-md:h-11"
        />
      </label>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{uiText.cancel}</Button>
        <Button type="submit" variant="primary">
          {uiText.confirm}
        </Button>
      </div>
    </form>
  )
}
