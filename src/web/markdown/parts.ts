import type { Block } from './syntax/blocks.ts'

/** Fewest blocks of a part that is not the last. */
const MIN_BLOCKS = 12

/** Indices of a part's blocks: its first one, and the one after its last. */
type Part = { start: number; end: number; isBeforeHeading: boolean }

/**
 * Cuts an answer into parts of about a screen, which the browser can leave alone while the answer grows. Margins do not collapse
 * across parts, so a part begins only where that does not matter: at a paragraph, which has no margin above, and at a heading,
 * whose margin is larger than any before it (markdown.css removes that one).
 */
export function splitIntoParts(blocks: readonly Pick<Block, 'type'>[]): Part[] {
  const parts: Part[] = []
  for (const [i, { type }] of blocks.entries()) {
    const part = parts.at(-1)
    const isHeading = type === 'heading'
    if (part && (i - part.start < MIN_BLOCKS || (!isHeading && type !== 'paragraph'))) part.end = i + 1
    else {
      if (part) part.isBeforeHeading = isHeading
      parts.push({ start: i, end: i + 1, isBeforeHeading: false })
    }
  }
  return parts
}

/** Puts the blocks of an answer into the elements of its parts, moving only those that are not in their place. */
export function arrangeParts(
  place: HTMLElement,
  nodes: readonly HTMLElement[],
  parts: readonly Part[],
): void {
  for (const [i, { start, end, isBeforeHeading }] of parts.entries()) {
    const element = place.children[i] ?? place.appendChild(createPartElement())
    element.toggleAttribute('data-before-heading', isBeforeHeading)
    let standing = element.firstChild
    for (const node of nodes.slice(start, end)) {
      if (standing === node) standing = node.nextSibling
      else element.insertBefore(node, standing)
    }
    while (standing) {
      const next: ChildNode | null = standing.nextSibling
      standing.remove()
      standing = next
    }
  }
  while (place.childElementCount > parts.length) place.lastElementChild?.remove()
}

function createPartElement(): HTMLElement {
  const element = document.createElement('div')
  element.className = 'md-part'
  return element
}

/**
 * Lets the browser skip the parts of a growing answer that are off the screen; to be called after each change. A part is skipped
 * only at its measured size, so that nothing moves, and never once the answer is complete.
 */
export function createPartSkipping(place: HTMLElement): (streaming: boolean) => void {
  let observer: ResizeObserver | undefined
  let skipped = 0

  const skip: ResizeObserverCallback = (entries, observing) => {
    for (const { target, contentRect } of entries) {
      observing.unobserve(target)
      const isSkippable = contentRect.height > 0 && target.nextElementSibling
      if (!isSkippable || !(target instanceof HTMLElement)) continue
      target.style.containIntrinsicHeight = `auto ${contentRect.height}px`
      target.style.contentVisibility = 'auto'
    }
  }
  return (streaming) => {
    const parts = [...place.children]
    if (streaming) {
      observer ??= new ResizeObserver(skip)
      // The last part grows; it may have the style of an earlier text, in which it was not the last.
      parts.at(-1)?.removeAttribute('style')
      const last = Math.max(0, parts.length - 1)
      for (const part of parts.slice(skipped, last)) observer.observe(part)
      skipped = last
    } else if (observer) {
      observer.disconnect()
      observer = undefined
      skipped = 0
      for (const part of parts) part.removeAttribute('style')
    }
  }
}
