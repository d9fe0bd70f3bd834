export type Placement = 'bottom-start' | 'bottom-end' | 'top-start' | 'top-end' | 'top' | 'bottom'

const GAP = 6
const EDGE = 8

type Anchor = Pick<Element, 'getBoundingClientRect'>
/** `isAsWide`: the popover gets the width of the element. */
type Options = { isAsWide?: boolean }

/** Functions that place each popover again, as long as it may be open. */
const placings = new Map<HTMLElement, () => void>()

/** Without this, rotating a phone or shrinking the window would leave popovers away from their elements, or out of sight. */
function onWindowResize(): void {
  // After the page has been laid out in its new width.
  requestAnimationFrame(() => {
    for (const [popover, place] of placings) {
      if (popover.matches(':popover-open')) place()
      else placings.delete(popover)
    }
  })
}

/**
 * Places an open popover beside an element, in viewport pixels, and keeps it there: on the requested side, else on the other one
 * if only that fits, and never over the edge.
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
    // At its former place near the edge it would be narrower than necessary.
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
  // Adding the same listener again has no effect.
  addEventListener('resize', onWindowResize)
}

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
