import { Upload } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { filesText } from '#web/text/files.ts'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/** Accepts files dropped anywhere on the page, and shows a hint while files are dragged over it. */
export function FileDrop({ onFiles }: { onFiles: (files: File[]) => void }) {
  const [isOver, setIsOver] = useState(false)
  const onDropped = useEffectEvent(onFiles)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    // Entering and leaving fire for each element: the page is left when both counts are equal.
    let depth = 0
    const listen = (
      name: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      onEvent: (event: DragEvent) => void,
    ) => addEventListener(name, (event) => hasFiles(event) && onEvent(event), { signal })
    listen('dragenter', () => setIsOver(++depth > 0))
    listen('dragleave', () => setIsOver(--depth > 0))
    // Otherwise the browser would open the file in place of the page.
    listen('dragover', (event) => event.preventDefault())
    listen('drop', (event) => {
      depth = 0
      setIsOver(false)
      // A part of the page has accepted the files.
      if (event.defaultPrevented) return
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length) onDropped(files)
    })
    return () => controller.abort()
  }, [])
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-40 grid place-items-center bg-panel/80 p-6 backdrop-blur-xs">
      <p className="flex items-center gap-3 rounded-2xl border-2 border-dashed border-accent bg-raised px-8 py-6 text-base font-medium shadow-soft">
        <Upload size={22} aria-hidden className="text-accent" />
        {filesText.drop}
      </p>
    </div>
  )
}
