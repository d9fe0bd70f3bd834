import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { flushSync } from 'react-dom'
import { positionPopover, type Placement } from './popover/popoverPosition.ts'

export type MenuItem = {
  label: string
  /** A second, quieter line that describes the item, or says why it is disabled. */
  description?: string
  icon?: ReactNode
  onSelect: () => void
  /** Set (true or false) on items of which one is chosen. */
  checked?: boolean
  /** `checked` is a switch of its own, rather than a choice among several. */
  toggle?: boolean
  danger?: boolean
  disabled?: boolean
}
/** A hairline, or a heading above the items that follow. */
export type MenuDivider = { heading: string } | 'separator'

/** Props to spread on the button that opens the menu. */
type MenuTriggerProps = {
  ref: RefObject<HTMLButtonElement | null>
  id: string
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  'aria-controls': string | undefined
  onPointerDown: () => void
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

type Props = {
  items: (MenuItem | MenuDivider)[]
  trigger: (props: MenuTriggerProps) => ReactNode
  placement?: Placement
  className?: string
}

/**
 * A menu on the native popover: top layer, closes on Escape and on a click outside. Arrow keys, Home, End and the first letters
 * of a label move the focus (WAI-ARIA menu button pattern). Items are mounted only while it is open.
 */
export function Menu({ items, trigger, placement = 'bottom-start', className }: Props) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const openAtPress = useRef(false)
  const id = useId()

  /** Places the menu beside its button and within the window, and focuses the chosen or the first item. */
  const settle = () => {
    if (!button.current || !menu.current?.matches(':popover-open')) return
    positionPopover(menu.current, button.current, placement)
    if (menu.current.contains(document.activeElement)) return
    const rows = menu.current.querySelectorAll<HTMLElement>('[role^=menuitem]:not([aria-disabled])')
    const first = [...rows].find((row) => row.ariaChecked === 'true') ?? rows[0]
    first?.focus()
  }
  const handleResize = useEffectEvent(settle)
  // Items may arrive while the menu is open.
  useEffect(() => {
    if (!open || !menu.current) return
    const sizes = new ResizeObserver(() => handleResize())
    sizes.observe(menu.current)
    return () => sizes.disconnect()
  }, [open])

  const openMenu = () => {
    if (!button.current || !menu.current) return
    flushSync(() => setOpen(true))
    // Safari leaves the focus on the body when a button is clicked; the popover returns it to where it was.
    button.current.focus()
    menu.current.showPopover()
    settle()
  }
  const select = (item: MenuItem) => {
    if (item.disabled) return
    menu.current?.hidePopover()
    item.onSelect()
  }
  const onMenuKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Tab') return menu.current?.hidePopover()
    const next = findNextItem(event.currentTarget, event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  return (
    <>
      {trigger({
        ref: button,
        id: `${id}-button`,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        // The press that closes the menu from outside must not open it again with its click.
        onPointerDown: () => {
          // The browser is asked because React is told only a moment after the menu has closed.
          openAtPress.current = menu.current?.matches(':popover-open') ?? false
        },
        onClick: () => {
          if (!openAtPress.current) openMenu()
          openAtPress.current = false
        },
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          openMenu()
        },
      })}
      <div
        ref={menu}
        id={id}
        role="menu"
        tabIndex={-1}
        popover="auto"
        aria-labelledby={`${id}-button`}
        onToggle={(event) => event.newState === 'closed' && setOpen(false)}
        onKeyDown={onMenuKey}
        className={clsx(
          'motion-rise fixed inset-auto m-0 max-h-[min(36rem,calc(100dvh-1rem))] min-w-44 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-xl border bg-raised p-1 text-ink shadow-soft',
          className,
        )}
      >
        {open && items.map((item, i) => <MenuRow key={getItemKey(item, i)} item={item} onSelect={select} />)}
      </div>
    </>
  )
}

const getItemKey = (item: MenuItem | MenuDivider, i: number) =>
  item === 'separator' ? `${item} ${i}` : 'heading' in item ? `heading ${item.heading}` : item.label

function MenuRow({ item, onSelect }: { item: MenuItem | MenuDivider; onSelect: (item: MenuItem) => void }) {
  if (item === 'separator') return <hr className="my-1" />
  if ('heading' in item) {
    return (
      <div role="presentation" className="truncate px-2.5 pt-2 pb-1 text-xs text-ink3">
        {item.heading}
      </div>
    )
  }
  return (
    <button
      type="button"
      tabIndex={-1}
      role={item.checked === undefined ? 'menuitem' : item.toggle ? 'menuitemcheckbox' : 'menuitemradio'}
      aria-checked={item.checked}
      aria-disabled={item.disabled || undefined}
      onClick={() => onSelect(item)}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      className={clsx(
        'flex w-full items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-left text-sm outline-none focus:bg-fill dark:focus:bg-fill2 max-md:min-h-11',
        item.danger && 'text-danger focus:bg-danger-soft',
        item.disabled && 'cursor-default text-ink3',
      )}
    >
      {item.icon && (
        <span aria-hidden className="shrink-0 text-ink2">
          {item.icon}
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{item.label}</span>
        {item.description && <span className="block text-xs text-ink3">{item.description}</span>}
      </span>
      {item.checked && <Check size={16} aria-hidden className="shrink-0 text-accent" />}
    </button>
  )
}

/**
 * Returns the item of a `role=menu` element to which a key moves the focus, or null if the key moves nothing. Disabled items can
 * be reached too, so that their description is read out (WAI-ARIA menu pattern).
 */
function findNextItem(menu: HTMLElement, key: string): HTMLElement | null {
  const rows = [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const focusedIndex = rows.findIndex((row) => row === document.activeElement)
  if (key === 'ArrowDown') return rows[(focusedIndex + 1) % rows.length] ?? null
  if (key === 'ArrowUp') return rows[(focusedIndex <= 0 ? rows.length : focusedIndex) - 1] ?? null
  if (key === 'Home') return rows[0] ?? null
  if (key === 'End') return rows.at(-1) ?? null
  if (key.length !== 1 || key === ' ') return null
  const letter = key.toLowerCase()
  const after = [...rows.slice(focusedIndex + 1), ...rows.slice(0, focusedIndex + 1)]
  return after.find((row) => row.textContent.trim().toLowerCase().startsWith(letter)) ?? null
}
