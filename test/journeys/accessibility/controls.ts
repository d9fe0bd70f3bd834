import type { Page } from '@playwright/test'
import { expect, waitForFrames } from '../screen/chat-screen.ts'

export type Size = { width: number; height: number }

export const WIDEST = { width: 1280, height: 720 }
export const NARROWEST = { width: 320, height: 568 }
/** A tablet, and a desktop at 200 %. */
export const BETWEEN: Size[] = [
  { width: 768, height: 1024 },
  { width: 640, height: 360 },
]

/**
 * Checks that a person can press every control in a window of this size: no two controls overlap, each is hit at its middle once
 * it is scrolled into view, and nothing sticks out of the page, which does not scroll sideways. `state` names the state in a
 * failure. Open layers stay open.
 */
export async function expectControlsInReach(page: Page, state: string, size: Size): Promise<void> {
  const now = page.viewportSize()!
  if (now.width !== size.width || now.height !== size.height) await page.setViewportSize(size)
  await waitForFrames(page)
  const message = `${state}, ${size.width}x${size.height}`
  await expect.poll(() => page.evaluate(findMisplacedControls), { message }).toEqual([])
}

/** Runs in the page: returns one line for each control that is covered, cut off or out of the page. */
export function findMisplacedControls(): string[] {
  /** Pixels that two boxes may share, or one may stick out: the descenders of lines that follow each other. */
  const TOLERANCE = 2
  const PRESSABLE =
    'a[href], button, input, textarea, select, summary, [tabindex="0"], [contenteditable=true], [role=button], [role=tab], [role=switch], [role=option], [role^=menuitem]'
  type Box = { left: number; top: number; right: number; bottom: number }
  type Control = { element: Element; mover: Element | null; boxes: Box[] }

  type Style = { isScroller: boolean; isClip: boolean; isPinned: boolean; takesPointer: boolean }

  function* ancestors({ parentElement }: Element): Generator<Element> {
    if (!parentElement) return
    yield parentElement
    yield* ancestors(parentElement)
  }
  const styles = new Map<Element, Style>()
  const styleOf = (element: Element): Style => {
    const known = styles.get(element)
    if (known) return known
    const { overflow, position, pointerEvents } = getComputedStyle(element)
    const style = {
      isScroller: /auto|scroll/.test(overflow),
      isClip: /hidden|clip/.test(overflow),
      isPinned: position === 'fixed' || position === 'sticky',
      takesPointer: pointerEvents !== 'none',
    }
    styles.set(element, style)
    return style
  }
  /** Returns the scroller or layer that moves an element against others: they take turns in front, so scrolling checks them. */
  const moverOf = (element: Element): Element | null => {
    if (styleOf(element).isPinned) return element
    for (const one of ancestors(element)) if (styleOf(one).isScroller || styleOf(one).isPinned) return one
    return null
  }
  const intersect = (one: Box, other: Box): Box => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  })
  const isLargerThan = (px: number, { left, top, right, bottom }: Box) =>
    right - left > px && bottom - top > px
  /** Returns the boxes of an element, or of each line of a link within a text, cut by their surroundings. */
  const boxesOf = (element: Element, mover: Element | null): Box[] => {
    let boxes: Box[] = [...element.getClientRects()]
    for (const one of ancestors(element)) {
      if (one === mover) break
      if (styleOf(one).isClip) boxes = boxes.map((box) => intersect(box, one.getBoundingClientRect()))
    }
    return boxes.filter((box) => isLargerThan(TOLERANCE, box))
  }
  const describe = (element: Element) => {
    const name =
      element.ariaLabel ?? (element.textContent.trim() || element.getAttribute('name') || element.id)
    const { left, top, width, height } = element.getBoundingClientRect()
    const place = [left, top, width, height].map(Math.round).join(' ')
    return `${element.tagName.toLowerCase()} “${name.slice(0, 40)}” (${place})`
  }
  /** Tells whether an element waits outside the window, like the link that skips the navigation, until it has the focus. */
  const isParked = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return (bottom < 0 || top > innerHeight) && getComputedStyle(element).position === 'fixed'
  }
  const elementAtMiddle = (element: Element): Element | null => {
    const [box] = element.getClientRects()
    if (!box) return null
    const point = [box.left + box.width / 2, box.top + box.height / 2] as const
    const first = document.elementFromPoint(...point)
    // A tooltip goes as soon as the pointer does.
    const isTooltip = (one: Element) => one.matches('[popover][aria-hidden=true]')
    if (!first || !isTooltip(first)) return first
    return document.elementsFromPoint(...point).find((one) => !isTooltip(one)) ?? null
  }
  const isHit = (element: Element): boolean => {
    const hit = elementAtMiddle(element)
    return hit !== null && (element.contains(hit) || hit.closest('label')?.control === element)
  }

  // Layers that replace the page while they are open.
  const layers = document.querySelectorAll(
    ':modal, :popover-open:is([role=menu], [role=dialog], :has([role=listbox]))',
  )
  const root = [...layers].at(-1) ?? document
  const isShown = { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }
  const controls = [...root.querySelectorAll(PRESSABLE)]
    .filter(
      (element) => element.checkVisibility(isShown) && !element.closest('[inert]') && !isParked(element),
    )
    .map((element): Control => {
      const mover = moverOf(element)
      return { element, mover, boxes: boxesOf(element, mover) }
    })
    .filter(({ boxes }) => boxes.length > 0)
  /** Elements that scroll up and down only. */
  const regions = [document.documentElement, document.body, ...document.querySelectorAll('[scroll-region]')]
  const found: string[] = []

  controls.forEach((one, i) => {
    for (const other of controls.slice(i + 1)) {
      if (one.mover !== other.mover || one.element.contains(other.element)) continue
      const isOver = one.boxes.some((box) =>
        other.boxes.some((its) => isLargerThan(TOLERANCE, intersect(box, its))),
      )
      if (isOver) found.push(`${describe(one.element)} and ${describe(other.element)} lie over each other`)
    }
  })
  for (const { element } of controls) {
    const { left, right } = element.getBoundingClientRect()
    if (left >= -TOLERANCE && right <= innerWidth + TOLERANCE) continue
    const isInRow = [...ancestors(element)].some(
      (one) => styleOf(one).isScroller && one.scrollWidth > one.clientWidth && !regions.includes(one),
    )
    if (!isInRow) found.push(`${describe(element)} sticks out`)
  }
  for (const region of regions) {
    const excess = region.scrollWidth - region.clientWidth
    if (excess > 0) found.push(`${region.tagName.toLowerCase()} scrolls sideways by ${excess} px`)
  }
  for (const { element } of controls) {
    if (!styleOf(element).takesPointer || isHit(element)) continue
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const hit = elementAtMiddle(element)
    if (!isHit(element))
      found.push(`${describe(element)} is ${hit ? `covered by ${describe(hit)}` : 'out of sight'}`)
  }
  return found
}
