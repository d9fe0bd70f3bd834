import { clsx } from 'clsx'
import { LibraryBig } from 'lucide-react'
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { promptsText } from '#web/text/prompts.ts'
import { positionPopover } from '#web/ui/popover/popoverPosition.ts'
import { filterPrompts } from './filterPrompts.ts'
import { useSlashPrompts } from './queries.ts'

/** Handles the keys of the list while the field keeps the focus. Returns true if it handled the key. */
export type SlashHandle = { handleKey: (event: KeyboardEvent) => boolean }

type Props = {
  ref: Ref<SlashHandle>
  /** The field being typed in, which keeps the focus. */
  field: RefObject<HTMLTextAreaElement | null>
  /** The text typed after the slash. */
  q: string
  onChoose: (text: string) => void
  onBrowse: () => void
  onClose: () => void
}

/** Lists the prompts that match `/…` in the composer, in a box above it (WAI-ARIA listbox, driven from the field). */
export default function SlashList({ ref, field, q, onChoose, onBrowse, onClose }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const { data, isPending } = useSlashPrompts()
  const matchingPrompts = filterPrompts(data?.items ?? [], q)
  const rows = [
    ...matchingPrompts.map(({ id, title, desc, text }) => ({
      id,
      title,
      desc,
      choose: () => onChoose(text),
    })),
    { id: 'browse', title: promptsText.browse, desc: '', choose: onBrowse },
  ]
  const [activeId, setActiveId] = useState<string | null>(null)
  // A text that matches no prompt is an ordinary question, so nothing is selected.
  const activeIndex = Math.max(
    rows.findIndex((row) => row.id === activeId),
    matchingPrompts.length ? 0 : -1,
  )
  const active = rows[activeIndex]
  const activeRowId = active?.id

  useImperativeHandle(ref, () => ({
    handleKey({ key, shiftKey }) {
      if (key === 'Tab') {
        onClose()
        return false
      }
      if (key === 'Escape') onClose()
      else if (key === 'ArrowDown') setActiveId(rows[(activeIndex + 1) % rows.length]!.id)
      else if (key === 'ArrowUp') setActiveId(rows.at(Math.max(activeIndex, 0) - 1)!.id)
      // Enter has no meaning until the prompts are loaded.
      else if (key === 'Enter' && !shiftKey && (isPending || active)) active?.choose()
      else return false
      return true
    },
  }))

  useLayoutEffect(() => {
    const [list, area] = [box.current, field.current]
    if (!list || !area) return
    list.showPopover()
    area.setAttribute('aria-autocomplete', 'list')
    area.setAttribute('aria-controls', `${id}-list`)
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant'])
        area.removeAttribute(name)
    }
  }, [field, id])
  useLayoutEffect(() => {
    const frame = field.current?.parentElement
    if (!box.current || !frame) return
    positionPopover(box.current, frame, 'top-start', { isAsWide: true })
  }, [field, rows.length])
  useLayoutEffect(() => {
    if (activeRowId) field.current?.setAttribute('aria-activedescendant', `${id}-${activeRowId}`)
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [activeRowId, field, id])

  return (
    <div
      ref={box}
      popover="manual"
      className="fixed inset-auto m-0 overflow-hidden rounded-2xl border bg-raised p-0 text-ink shadow-soft"
    >
      <div
        id={`${id}-list`}
        role="listbox"
        // It scrolls, so it must be focusable; Tab in the field closes it first.
        tabIndex={0}
        aria-label={promptsText.list}
        className="max-h-[min(16rem,45dvh)] overflow-y-auto overscroll-contain p-1.5"
      >
        {rows.map((row, index) => (
          <div
            key={row.id}
            id={`${id}-${row.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={index === activeIndex ? undefined : () => setActiveId(row.id)}
            onClick={row.choose}
            className={clsx(
              'flex cursor-pointer items-baseline gap-3 rounded-lg px-3 py-1.5 max-md:min-h-11 max-md:items-center',
              index === activeIndex && 'bg-fill dark:bg-fill2',
              row.id === 'browse' && 'text-ink2',
            )}
          >
            {row.id === 'browse' && <LibraryBig size={15} aria-hidden className="shrink-0 self-center" />}
            <span className="shrink-0">{row.title}</span>
            <span className="min-w-0 truncate text-note text-ink3">{row.desc}</span>
          </div>
        ))}
      </div>
      <p className="border-t px-4.5 py-1.5 text-xs text-ink3 max-md:hidden">{promptsText.slashHint}</p>
      <p role="status" className="sr-only">
        {isPending ? '' : promptsText.found(matchingPrompts.length)}
      </p>
    </div>
  )
}
