import { useEffect, useRef } from 'react'
import { positionPopover } from './popover/popoverPosition.ts'

const DELAY_MS = 400

/**
 * The page's single tooltip, for every element with `data-tooltip="…"`: shown on hover and keyboard focus, hidden on Escape,
 * press or leaving. It repeats the accessible name, so screen readers are not told twice.
 */
export function Tooltip() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tip = ref.current
    if (!tip) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let currentAnchor: HTMLElement | null = null
    const hide = () => {
      clearTimeout(timer)
      currentAnchor = null
      if (tip.matches(':popover-open')) tip.hidePopover()
    }
    const show = (anchor: HTMLElement) => {
      if (!anchor.isConnected) return
      tip.textContent = anchor.dataset.tooltip ?? ''
      tip.showPopover()
      positionPopover(tip, anchor, 'bottom')
    }
    const onEnter = (event: Event) => {
      const target = event.target instanceof Element ? event.target : null
      const anchor = target?.closest<HTMLElement>('[data-tooltip]') ?? null
      if (anchor === currentAnchor || target === tip) return
      hide()
      if (!anchor) return
      if (event.type === 'focusin' && !anchor.matches(':focus-visible')) return
      currentAnchor = anchor
      timer = setTimeout(() => show(anchor), event.type === 'focusin' ? 0 : DELAY_MS)
    }
    const onHover = (event: PointerEvent) => event.pointerType === 'mouse' && onEnter(event)
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    const controller = new AbortController()
    const { signal } = controller
    document.addEventListener('pointerover', onHover, { signal })
    document.addEventListener('focusin', onEnter, { signal })
    document.addEventListener('focusout', hide, { signal })
    document.addEventListener('pointerdown', hide, { signal, capture: true })
    document.addEventListener('keydown', onKey, { signal })
    document.addEventListener('scroll', hide, { signal, capture: true, passive: true })
    return () => {
      controller.abort()
      hide()
    }
  }, [])
  return (
    <div
      ref={ref}
      popover="manual"
      aria-hidden
      className="fixed inset-auto m-0 max-w-64 rounded-lg bg-btn px-2 py-1 text-xs wrap-anywhere text-btn-ink"
    />
  )
}
