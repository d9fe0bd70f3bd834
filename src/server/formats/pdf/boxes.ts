import { dropNoncharacters } from './marks.ts'
import { replaceRadicals } from './radicals.ts'

/** A run of text as pdf.js gives it. */
export type TextItem = {
  str: string
  dir: string
  width: number
  height: number
  transform: number[]
  fontName: string
}

/**
 * A run of text in the frame of its own direction: it goes from `x` to `right`, lines follow each other with growing
 * `y` (the base line), in points. Vertical writing and turned text are brought into that frame.
 */
export type Box = { text: string; x: number; right: number; y: number; size: number; isRtl: boolean }

/** The boxes of one direction: degrees, or from top to bottom. */
export type BoxGroup = { direction: Direction; boxes: Box[] }
export type Direction = 0 | 90 | 180 | 270 | 'vertical'

/** Distances as shares of the size of the type. */
const SAME_PLACE = 0.12

/**
 * Groups the runs of a page by their direction, the one with the most text first. `toDevice` is the transform from the page's
 * units to a picture of it, its rotation included.
 */
export function toBoxes(
  items: TextItem[],
  toDevice: number[],
  isVertical: (font: string) => boolean,
): BoxGroup[] {
  const groups = new Map<Direction, Box[]>()
  // A space is an item of its own, and its place says little.
  let space = ''
  for (const item of items) {
    if (!item.str.trim()) {
      if (item.width > 0) space = ' '
      continue
    }
    const [a, b, c, d, e, f] = multiply(toDevice, item.transform)
    const vertical = isVertical(item.fontName)
    const degrees = (((Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4) * 90) as Direction
    const direction = vertical ? 'vertical' : degrees
    const size = Math.hypot(c, d) || item.height || 1
    const [x, y] = turn(e, f, direction)
    const length = vertical ? item.height : item.width
    const box = {
      text: space + replaceRadicals(dropNoncharacters(item.str)),
      x,
      right: x + length,
      y,
      size,
      isRtl: item.dir === 'rtl',
    }
    const group = groups.get(direction)
    if (group) group.push(box)
    else groups.set(direction, [box])
    space = ''
  }
  const length = (boxes: Box[]): number => boxes.reduce((sum, { text }) => sum + text.length, 0)
  return Array.from(groups, ([direction, boxes]) => ({ direction, boxes: dropDoubles(boxes) })).sort(
    (one, other) => length(other.boxes) - length(one.boxes),
  )
}

type Matrix = [number, number, number, number, number, number]

export function multiply(m: number[], n: number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = m
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = n
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

/** Turns a point of the page's picture into the frame of a direction: along the text and across it. */
export function turn(x: number, y: number, direction: Direction): [number, number] {
  if (direction === 90 || direction === 'vertical') return [y, -x]
  if (direction === 180) return [-x, -y]
  return direction === 270 ? [-y, x] : [x, y]
}

/** Drops repeated runs: bold type and shadows are often made by printing a run twice, or each of its characters. */
function dropDoubles(boxes: Box[]): Box[] {
  const boxesByText = new Map<string, Box[]>()
  return boxes
    .filter((box) => {
      const same = boxesByText.get(box.text) ?? []
      const near = box.size * SAME_PLACE
      const isDouble = same.some(
        (other) => Math.abs(other.x - box.x) < near && Math.abs(other.y - box.y) < near,
      )
      // On a page of dots it would take too long to compare each with all.
      if (!isDouble && same.length < 100) boxesByText.set(box.text, [...same, box])
      return !isDouble
    })
    .map((box) => ({ ...box, text: undoubleCharacters(box) }))
}

const WIDE = /[\u2E80-\uFFEF]/u

/** Drops the double of each character where all stand twice, in half the room that they would need. */
function undoubleCharacters({ text, x, right, size }: Box): string {
  const characters = Array.from(text)
  if (characters.length < 4 || characters.length % 2) return text
  if (!characters.every((character, index) => character === characters[index - (index % 2)])) return text
  const room = characters.reduce((sum, character) => sum + (WIDE.test(character) ? 0.9 : 0.35), 0) * size
  return right - x < room * 0.7 ? characters.filter((_, index) => index % 2 === 0).join('') : text
}
