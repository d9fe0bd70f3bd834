import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from '@playwright/test'
import type axe from 'axe-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Looks of texts that had enough contrast, light and dark ones, each with the number of elements that were measured. */
export type MeasuredLooks = Map<string, number>

type Violations = { light: string[]; dark: string[] }

/** Elements of one look that are measured: one alone may be covered, and give no result. */
const MAX_SAMPLES = 3
/** Rules of level AA: their tag has one of AAA as well. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** Rules that the size of the window can break: it hides and shows texts and parts, and parts scroll in it or not. */
const SIZE_RULES = [
  ...COLOR_RULES,
  'aria-command-name',
  'aria-dialog-name',
  'aria-hidden-focus',
  'aria-input-field-name',
  'aria-required-children',
  'aria-required-parent',
  'aria-toggle-field-name',
  'button-name',
  'empty-heading',
  'image-alt',
  'label',
  'landmark-one-main',
  'link-name',
  'list',
  'page-has-heading-one',
  'role-img-alt',
  'scrollable-region-focusable',
  'select-name',
  'summary-name',
]

/**
 * Finds violations of accessibility rules: one line for each rule and element. It runs in the page or the frame itself, not in
 * frames within; while a modal or a menu is open, in that alone: the page behind cannot be reached, or has not changed. All rules
 * are run in the light look, those of colours in the dark one, too; for another size of what was checked, those that depend on it,
 * in the light look. Looks that were measured are not measured again, since contrast takes nine tenths of the time; those that have
 * no violation are added.
 */
export async function findAccessibilityViolations(
  page: Page | Frame,
  measured: MeasuredLooks = new Map(),
  { isForSize = false } = {},
): Promise<Violations> {
  // Half a megabyte, loaded once for each page. Without a value: it would be all of axe.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(`${AXE}; null`)
  const { looks, ...violations } = await page.evaluate(checkContents, {
    // As one text, which passes into the page far faster than hundreds.
    knownLooks: [...measured].flatMap(([look, count]) => (count < MAX_SAMPLES ? [] : look)).join('\n'),
    colorRules: COLOR_RULES,
    sizeRules: isForSize ? SIZE_RULES : null,
    maxSamples: MAX_SAMPLES,
  })
  if (violations.light.length + violations.dark.length > 0) return violations
  for (const look of looks) measured.set(look, (measured.get(look) ?? 0) + 1)
  return violations
}

type Options = {
  knownLooks: string
  colorRules: string[]
  sizeRules: string[] | null
  maxSamples: number
}
type Found = Violations & { looks: string[] }

/** Runs in the page. */
async function checkContents(options: Options): Promise<Found> {
  const { knownLooks, colorRules, sizeRules, maxSamples } = options
  /** Marks the elements whose contrast is measured: that takes most of the time. */
  const SAMPLE = 'data-contrast-sample'
  /** Texts from these sizes on need less contrast. */
  const [LARGE_PX, LARGE_BOLD_PX] = [24, 18.66]
  const { axe: inPage } = globalThis as unknown as { axe: typeof axe }
  const root = [...document.querySelectorAll(':modal, :popover-open[role=menu]')].at(-1) ?? document.body
  const seenLooks = new Set(knownLooks.split('\n'))
  const looks: Found['looks'] = []

  const hasOwnText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
  const isShown = (element: Element, { display }: CSSStyleDeclaration) =>
    display !== 'none' &&
    (element.tagName === 'SUMMARY' || !element.parentElement?.matches('details:not([open])'))

  const samples = new Map<Element, string>()
  const counts = new Map<string, number>()
  /**
   * Marks elements of looks that were not measured yet. Two look the same when their texts do, and the same is drawn below them:
   * by the nearest opaque parent and all within it. What is put over others may be drawn on more than its parents: there classes
   * count, too.
   */
  const markSamples = (element: Element, ground: string, isBlended: boolean): void => {
    const style = getComputedStyle(element)
    if (!isShown(element, style)) return
    const { backgroundColor, backgroundImage, opacity, position, filter, color } = style
    const isMixed = isBlended || opacity !== '1' || filter !== 'none'
    const paint = [backgroundColor, backgroundImage, opacity, filter].join()
    const isOver = position === 'absolute' || position === 'fixed'
    const isOpaque = backgroundColor.startsWith('rgb(') && !isMixed
    const isPainted = paint !== 'rgba(0, 0, 0, 0),none,1,none'
    const place = isOver ? element.getAttribute('class') : ''
    const own = isOpaque ? paint : isOver || isPainted ? `${ground}; ${paint} ${place}` : ground
    const isText = hasOwnText(element) || element.matches('input, select, textarea')
    if (isText && style.visibility === 'visible' && !element.matches(':disabled, [aria-disabled=true]')) {
      const { fontSize, fontWeight, textShadow, textDecorationLine } = style
      const px = Number.parseFloat(fontSize)
      const isLarge = px >= LARGE_PX || (px >= LARGE_BOLD_PX && Number(fontWeight) >= 700)
      const around = element.matches('a') && [
        getComputedStyle(element.parentElement!).color,
        textDecorationLine,
      ]
      const look = [own, color, isLarge, textShadow, around].join()
      const count = counts.get(look) ?? 0
      counts.set(look, count + 1)
      if (count < maxSamples && !seenLooks.has(look)) {
        element.setAttribute(SAMPLE, '')
        samples.set(element, look)
      }
    }
    for (const child of element.children) markSamples(child, own, isMixed)
  }

  const run = async (runOnly: string[] | null): Promise<string[]> => {
    inPage.configure({ noHtml: true, rules: [{ id: 'color-contrast', selector: `[${SAMPLE}]` }] })
    const { violations } = await inPage.run(root === document.body ? document : root, {
      resultTypes: ['violations'],
      iframes: false,
      ...(runOnly ? { runOnly } : {}),
    })
    looks.push(...samples.values())
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    )
  }
  const clearSamples = () => {
    for (const sample of document.querySelectorAll(`[${SAMPLE}]`)) sample.removeAttribute(SAMPLE)
    samples.clear()
    counts.clear()
  }

  // Over a drawing axe cannot tell the background of a text, and finds nothing: the faint lines are hidden.
  const drawings = document.querySelectorAll<SVGElement>('svg.water')
  for (const drawing of drawings) drawing.style.visibility = 'hidden'
  markSamples(root, '', false)
  const light = await run(sizeRules)
  clearSamples()
  let dark: string[] = []
  if (!sizeRules) {
    // The app follows the system by this class; nothing moves or fades here (`reducedMotion`).
    document.documentElement.classList.toggle('dark')
    markSamples(root, '', false)
    if (samples.size > 0) dark = await run(colorRules)
    clearSamples()
    document.documentElement.classList.toggle('dark')
  }
  for (const drawing of drawings) drawing.style.visibility = ''
  return { light, dark, looks }
}
