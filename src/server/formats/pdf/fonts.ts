import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { GlobalFonts } from '@napi-rs/canvas'

/**
 * Noto Sans SC: Chinese, Japanese without its rare characters, and languages in Latin and Cyrillic letters. It comes in a hundred
 * slices, of which only those with a character of the text are loaded.
 */
const PACKAGE = '@fontsource-variable/noto-sans-sc'
const PREFIX = 'Translation '
/** Most families of the machine: each is searched for each character. */
const MAX_OWN_FAMILIES = 100
const FIRST = ['latin', 'latin-ext', 'cyrillic', 'vietnamese']

let slices: Map<number, string> | undefined

/** Returns the slice of each code point. */
function loadSlices(): Map<number, string> {
  if (slices) return slices
  slices = new Map()
  const path = fileURLToPath(import.meta.resolve(`${PACKAGE}/unicode.json`))
  const ranges = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  for (const key of [...FIRST, ...Object.keys(ranges)]) {
    const slice = key.replace(/[[\]]/g, '')
    for (const [, first = '', last = first] of ranges[key]?.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/gi) ?? [])
      for (let point = parseInt(first, 16); point <= parseInt(last, 16); point++)
        if (!slices.has(point)) slices.set(point, slice)
  }
  return slices
}

/** Tells whether every character of a text is in the font. */
export const hasGlyphs = (text: string): boolean =>
  Array.from(text).every(
    (character) => /[\s\p{C}]/u.test(character) || loadSlices().has(character.codePointAt(0) ?? 0),
  )

/** Lists the font families of the machine. */
const listOwnFamilies = (): string[] =>
  GlobalFonts.families
    .flatMap(({ family }) => (family.startsWith(PREFIX) ? [] : `"${family}"`))
    .slice(0, MAX_OWN_FAMILIES)

/** Loads the families to write a text with, for a canvas' font; characters that the font lacks are left to the machine's. */
export function loadFamilies(text: string): string {
  const slices = new Set<string>()
  for (const character of text) {
    const slice = loadSlices().get(character.codePointAt(0) ?? 0)
    if (slice) slices.add(slice)
  }
  const families = [...slices].map((slice) => {
    const family = PREFIX + slice
    if (!GlobalFonts.has(family)) {
      const file = `${PACKAGE}/files/noto-sans-sc-${slice}-wght-normal.woff2`
      GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve(file)), family)
    }
    return `"${family}"`
  })
  return [...families, ...(hasGlyphs(text) ? [] : listOwnFamilies())].join(', ')
}
