import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { uiText } from '#web/text/ui.ts'
import { IconButton } from './IconButton.tsx'
import { dismissToast, getToasts, subscribeToToasts } from './toast.ts'

/** Shows the page's toasts; once per page. In the top layer, so that an open dialog does not cover them. */
export function Toaster() {
  const list = useSyncExternalStore(subscribeToToasts, getToasts)
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    const region = ref.current
    // Reopened at each change: the last element to enter the top layer lies above dialogs opened before.
    if (region?.matches(':popover-open')) region.hidePopover()
    if (list.length) region?.showPopover()
  }, [list])
  return (
    <section
      ref={ref}
      popover="manual"
      aria-label={uiText.notices}
      className="pointer-events-none fixed inset-x-0 top-4 bottom-auto m-0 w-full bg-transparent"
    >
      <ul
        aria-live="polite"
        className="mx-auto flex w-fit max-w-[calc(100vw-2rem)] flex-col items-center gap-2"
      >
        {list.map((toast) => (
          <li
            key={toast.id}
            className="pointer-events-auto flex min-h-11 items-center gap-2.5 rounded-xl border bg-raised py-1 pr-1.5 pl-3.5 text-sm shadow-soft"
          >
            {toast.kind === 'error' ? (
              <CircleAlert size={18} aria-hidden className="shrink-0 text-danger" />
            ) : (
              <CircleCheck size={18} aria-hidden className="shrink-0 text-success" />
            )}
            <span className="py-1">{toast.text}</span>
            {toast.action && (
              <button
                type="button"
                onClick={() => {
                  dismissToast(toast.id)
                  toast.action?.run()
                }}
                className="rounded-lg px-2 py-1 font-medium text-accent hover:bg-fill max-md:min-h-11"
              >
                {toast.action.label}
              </button>
            )}
            <IconButton size="sm" label={uiText.dismiss} onClick={() => dismissToast(toast.id)}>
              <X size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
