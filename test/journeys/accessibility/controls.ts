import type { Page } from '@playwright/test'
import { expect, waitForFrames } from '../screen/chat-screen.ts'

export const NARROWEST = { width: 320, height: 568 }
/** Desktops, a tablet, a page at 200 % (half of 1280x720), and phones; in this order a page crosses each breakpoint once. */
const SIZES = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 720 },
  { width: 768, height: 1024 },
  { width: 640, height: 360 },
  { width: 414, height: 896 },
  { width: 390, height: 780 },
  { width: 360, height: 740 },
  NARROWEST,
]

/**
 * Checks that a person can press every control in a window of this size: no two controls overlap, each is hit at its middle once
 * it is scrolled into view, and nothing sticks out of the page, which does not scroll sideways. `state` names the state in a
 * failure. Open layers stay open.
 */
export async function expectControlsInReach(
  page: Page,
  state: string,
  size: { width: number; height: number },
): Promise<void> {
  await page.setViewportSize(size)
  await waitForFrames(page)
  const message = `${state}, ${size.width}x${size.height}`
  await expect.poll(() => page.evaluate(findMisplacedControls), { message }).toEqual([])
}

/** Checks every width; the narrowest in the dark look, too: colours must move no box. The page is left as it was. */
export async function expectControlsInReachAnywhere(page: Page, state: string): Promise<void> {
  const before = page.viewportSize()!
  for (const size of SIZES) await expectControlsInReach(page, state, size)
  const toggleDark = () => page.evaluate(() => document.documentElement.classList.toggle('dark'))
  await toggleDark()
  await expectControlsInReach(page, `${state}, dark`, NARROWEST)
  await toggleDark()
  await page.setViewportSize(before)
  await waitForFrames(page)
}

/** Runs in the page: returns one line for each control that is covered, cut off or out of the page. */
export function findMisplacedControls(): string[] {
  /** Pixels that two boxes may share, or one may stick out: the descenders of lines that follow each other. */
  const TOLERANCE = 2
  const PRESSABLE =
    'a[href], button, input, textarea, select, summary, [tabindex="0"], [contenteditable=true], [role=button], [role=tab], [role=switch], [role=option], [role^=menuitem]'
  type Box = { left: number; top: number; right: number; bottom: number }
  type Control = { element: Element; mover: Element | null; boxes: Box[] }

  function* ancestors({ parentElement }: Element): Generator<Element> {
    if (!parentElement) return
    yield parentElement
    yield* ancestors(parentElement)
  }
  const overflows = (element: Element) => getComputedStyle(element).overflow.split(' ')
  const isScroller = (element: Element) =>
    overflows(element).some((way) => way === 'auto' || way === 'scroll')
  const isClip = (element: Element) => overflows(element).some((way) => way === 'hidden' || way === 'clip')
  const isPinned = (element: Element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position)
  /** Returns the scroller or layer that moves an element against others: they take turns in front, so scrolling checks them. */
  const moverOf = (element: Element): Element | null => {
    if (isPinned(element)) return element
    for (const one of ancestors(element)) if (isScroller(one) || isPinned(one)) return one
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
      if (isClip(one)) boxes = boxes.map((box) => intersect(box, one.getBoundingClientRect()))
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
    return getComputedStyle(element).position === 'fixed' && (bottom < 0 || top > innerHeight)
  }
  const elementAtMiddle = (element: Element): Element | null => {
    const [box] = element.getClientRects()
    const stack = box ? document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2) : []
    // A tooltip goes as soon as the pointer does.
    return stack.find((one) => !one.matches('[popover][aria-hidden=true]')) ?? null
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
    const isInRow = [...ancestors(element)].some(
      (one) => isScroller(one) && one.scrollWidth > one.clientWidth && !regions.includes(one),
    )
    if (!isInRow && (left < -TOLERANCE || right > innerWidth + TOLERANCE))
      found.push(`${describe(element)} sticks out`)
  }
  for (const region of regions) {
    const excess = region.scrollWidth - region.clientWidth
    if (excess > 0) found.push(`${region.tagName.toLowerCase()} scrolls sideways by ${excess} px`)
  }
  for (const { element } of controls) {
    if (getComputedStyle(element).pointerEvents === 'none' || isHit(element)) continue
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const hit = elementAtMiddle(element)
    if (!isHit(element))
      found.push(`${describe(element)} is ${hit ? `covered by ${describe(hit)}` : 'out of sight'}`)
  }
  return found
}
