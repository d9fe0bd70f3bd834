import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { uiText } from '#web/text/ui.ts'
import { IconButton } from './IconButton.tsx'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  children?: ReactNode
  /** Buttons, the main one last. */
  footer?: ReactNode
  /**
   * `wide`: for content to browse. `drawer`: fixed to the left edge, for the navigation on phones. `palette`: near the top edge.
   * The latter two hide their titles.
   */
  kind?: 'panel' | 'wide' | 'drawer' | 'palette'
}

const kindClasses = {
  panel:
    'motion-rise m-auto w-[min(28rem,calc(100vw-2rem))] max-h-[calc(100dvh-2rem)] rounded-2xl border bg-raised p-0 shadow-soft',
  wide: 'motion-rise m-auto w-[min(48rem,calc(100vw-1rem))] max-h-[calc(100dvh-1rem)] rounded-2xl border bg-raised p-0 shadow-soft',
  palette:
    'motion-rise mx-auto mt-[12dvh] mb-auto w-[min(36rem,calc(100vw-2rem))] max-h-[76dvh] overflow-hidden rounded-2xl border bg-raised p-0 shadow-soft',
  drawer: 'motion-drawer m-0 h-dvh max-h-none w-[min(19rem,85vw)] border-r bg-bg p-0',
}

const paddedClass = 'flex flex-col gap-4 p-6'
const contentClasses = { panel: paddedClass, wide: paddedClass, palette: '', drawer: 'h-full' }

let openCount = 0

/** An attribute stops the page's scrolling (base.css): `:has(dialog:modal)` would be evaluated with every word of an answer. */
function countOpen(change: 1 | -1): void {
  openCount += change
  document.documentElement.toggleAttribute('data-modal', openCount > 0)
}

/**
 * A modal on the native `<dialog>`: it keeps the focus inside, makes the page behind inert, closes on Escape and restores the
 * focus. Its content is mounted only while it is open.
 */
export function Dialog({ open, onOpenChange, title, description, children, footer, kind = 'panel' }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  /** Number of own `close()` calls whose event is outstanding: the browser sends it later. */
  const closings = useRef(0)
  const id = useId()
  const hasVisibleTitle = kind === 'panel' || kind === 'wide'
  useEffect(() => {
    const dialog = ref.current
    if (open && !dialog?.open) dialog?.showModal()
    if (open || !dialog?.open) return
    closings.current++
    dialog.close()
  }, [open])
  // If it left the page while open, the focus would be lost.
  useLayoutEffect(() => {
    const dialog = ref.current
    return () => dialog?.close()
  }, [])
  useEffect(() => {
    if (!open) return
    countOpen(1)
    return () => countOpen(-1)
  }, [open])
  return (
    <dialog
      ref={ref}
      data-kind={kind}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        // A file field inside sends the same event when its chooser is cancelled.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onOpenChange(false)
      }}
      onClose={(event) => {
        // The event comes from a dialog inside this one.
        if (event.target !== event.currentTarget) return
        // By then this dialog may be open again, or another one in its place. Only closing by the browser is reported.
        if (closings.current) closings.current--
        else onOpenChange(false)
      }}
      onPointerDown={(event) => event.target === event.currentTarget && onOpenChange(false)}
      className={clsx('border-line text-ink', kindClasses[kind])}
    >
      {open && (
        <div className={contentClasses[kind]}>
          {/* Not a header or a footer: whatever the dialog is rendered in, those would be the page's. */}
          <div className={hasVisibleTitle ? 'pr-10' : 'sr-only'}>
            <h2 id={`${id}-title`} className="text-base font-semibold">
              {title}
            </h2>
            {description && (
              <p id={`${id}-description`} className="mt-1.5 text-ink2">
                {description}
              </p>
            )}
          </div>
          {children}
          {footer && <div className="flex flex-wrap justify-end gap-2">{footer}</div>}
          {/* Last, so that opening focuses what the dialog is about rather than the way out of it. */}
          {hasVisibleTitle && (
            <IconButton
              label={uiText.close}
              onClick={() => onOpenChange(false)}
              className="absolute! top-4 right-4"
            >
              <X size={18} aria-hidden />
            </IconButton>
          )}
        </div>
      )}
    </dialog>
  )
}
