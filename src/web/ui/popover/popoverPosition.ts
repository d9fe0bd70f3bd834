export type Placement = 'bottom-start' | 'bottom-end' | 'top-start' | 'top-end' | 'top' | 'bottom'

const GAP = 6
const EDGE = 8

type Anchor = Pick<Element, 'getBoundingClientRect'>
/** `isAsWide`: the popover is made as wide as the element. */
type Options = { isAsWide?: boolean }

/** How each popover was placed that may still be shown. */
const placings = new Map<HTMLElement, () => void>()

/** A phone that is turned, or a window that is made smaller, would leave them beside the place of their element, or out of sight. */
function onWindowResize(): void {
  // Once what the page makes of its new width is drawn.
  requestAnimationFrame(() => {
    for (const [popover, place] of placings) {
      if (popover.matches(':popover-open')) place()
      else placings.delete(popover)
    }
  })
}

/**
 * Puts a shown popover beside an element, in pixels of the viewport, and keeps it there: on the asked side, on the other one
 * where it would not fit, and never over the edge.
 */
export function positionPopover(
  popover: HTMLElement,
  anchor: Anchor,
  placement: Placement,
  { isAsWide = false }: Options = {},
): void {
  const place = () => {
    const anchorRect = anchor.getBoundingClientRect()
    if (isAsWide) popover.style.width = `${anchorRect.width}px`
    // Where it stood before, near the edge, it would be narrower than it need be.
    popover.style.left = '0'
    const { offsetWidth: width, offsetHeight: height } = popover
    const [side, align] = placement.split('-')
    const above = anchorRect.top - GAP - height
    const below = anchorRect.bottom + GAP
    const fitsAbove = above >= EDGE
    const fitsBelow = below + height <= innerHeight - EDGE
    const top =
      side === 'top' ? (fitsAbove || !fitsBelow ? above : below) : fitsBelow || !fitsAbove ? below : above
    const middle = anchorRect.left + (anchorRect.width - width) / 2
    const left = align === 'start' ? anchorRect.left : align === 'end' ? anchorRect.right - width : middle
    popover.style.left = `${clamp(left, EDGE, innerWidth - EDGE - width)}px`
    popover.style.top = `${clamp(top, EDGE, innerHeight - EDGE - height)}px`
  }
  place()
  placings.set(popover, place)
  // The same listener again is none.
  addEventListener('resize', onWindowResize)
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
