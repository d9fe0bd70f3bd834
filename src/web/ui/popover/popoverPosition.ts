export type Placement = 'bottom-start' | 'bottom-end' | 'top-start' | 'top-end' | 'top' | 'bottom'

const GAP = 6
const EDGE = 8

/**
 * Puts a shown popover beside an element, in pixels of the viewport: on the asked side, on the other one where it
 * would not fit, and never over the edge.
 */
export function positionPopover(
  popover: HTMLElement,
  anchor: Pick<Element, 'getBoundingClientRect'>,
  placement: Placement,
): void {
  const anchorRect = anchor.getBoundingClientRect()
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

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
