import { formatPhonetic } from '../text/markdown.ts'
import type { Box } from './boxes.ts'
import { findSpan } from './characters.ts'

/** Distances and sizes as shares of the size of the type below. */
const MAX_SIZE = 0.66
const MIN_RAISE = 0.6
const MAX_RAISE = 1.5

const HAN = /[\u3400-\u9FFF\uF900-\uFAFF]/
const KANA_OR_BOPOMOFO = /^[\s\u3040-\u30FF\u3100-\u312F\u31A0-\u31BF\u02C7\u02CA\u02CB\u02D9]+$/
const PINYIN = /^[a-zāáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜüńňǹḿê'’\s]+$/
const TONE = /[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜńňǹ]/

type Guide = { start: number; end: number; reading: string }

/**
 * Writes phonetic guides behind the characters that they stand above: small kana, bopomofo or pinyin, whose boxes are dropped. The
 * guides of adjacent characters are joined, as those of a word.
 */
export function attachGuides(boxes: Box[]): Box[] {
  const bases = boxes.filter(({ text }) => HAN.test(text))
  if (!bases.length) return boxes
  const hasTones = boxes.some(({ text }) => PINYIN.test(text) && TONE.test(text))
  const isGuide = ({ text }: Box): boolean => KANA_OR_BOPOMOFO.test(text) || (hasTones && PINYIN.test(text))
  const guides = new Map<Box, Guide[]>()
  const attached = new Set<Box>()
  for (const box of boxes.filter(isGuide)) {
    const base = bases.find((each) => isAbove(box, each))
    const span = base && findSpan(base, box.x - 0.1 * base.size, box.right + 0.1 * base.size)
    if (!base || !span || !HAN.test(base.text.slice(span.start, span.end))) continue
    guides.set(base, [...(guides.get(base) ?? []), { ...span, reading: box.text.trim() }])
    attached.add(box)
  }
  if (!attached.size) return boxes
  return boxes
    .filter((box) => !attached.has(box))
    .map((box) => {
      const own = guides.get(box)
      return own ? { ...box, text: insertGuides(box.text, own) } : box
    })
}

function isAbove(box: Box, base: Box): boolean {
  const raise = (base.y - box.y) / base.size
  const middle = (box.x + box.right) / 2
  return (
    box.size <= MAX_SIZE * base.size &&
    raise >= MIN_RAISE &&
    raise <= MAX_RAISE &&
    middle > base.x &&
    middle < base.right
  )
}

function insertGuides(text: string, guides: Guide[]): string {
  const joined: Guide[] = []
  for (const guide of guides.sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1)
    if (last && guide.start <= last.end)
      Object.assign(last, { end: Math.max(last.end, guide.end), reading: `${last.reading} ${guide.reading}` })
    else joined.push({ ...guide })
  }
  let out = ''
  let at = 0
  for (const { start, end, reading } of joined) {
    out += text.slice(at, start) + formatPhonetic(text.slice(start, end), reading)
    at = end
  }
  return out + text.slice(at)
}
