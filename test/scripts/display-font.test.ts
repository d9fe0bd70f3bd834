import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { displayTexts } from '#web/text/display.ts'

const FOLDER = 'src/web/styles/display'
const CMAP = 0
const GLYF = 10
const LOCA = 11
const UNKNOWN_TAG = 63

/** Lists the characters of a WOFF2 file from its own table of characters (cmap, format 4). */
async function listCharacters(name: string): Promise<Set<string>> {
  const file = await readFile(`${FOLDER}/wenqu-song-${name}.woff2`)
  expect(file.toString('latin1', 0, 4)).toBe('wOF2')
  const tables = file.readUInt16BE(12)
  let at = 48
  const readBase128 = (): number => {
    let value = 0
    for (;;) {
      const byte = file[at++] ?? 0
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
  }
  let [offset, cmap] = [0, -1]
  for (let table = 0; table < tables; table++) {
    const flags = file[at++] ?? 0
    const tag = flags & 63
    if (tag === UNKNOWN_TAG) at += 4
    const length = readBase128()
    const version = flags >> 6
    const isTransformed = tag === GLYF || tag === LOCA ? version !== 3 : version !== 0
    const stored = isTransformed ? readBase128() : length
    if (tag === CMAP) cmap = offset
    offset += stored
  }
  const font = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)))
  const view = font.subarray(cmap)
  const encodings = Array.from({ length: view.readUInt16BE(2) }, (_, index) =>
    view.readUInt32BE(8 + 8 * index),
  )
  const format4 = encodings.find((start) => view.readUInt16BE(start) === 4)
  if (format4 === undefined) throw new Error(`${name} has no table of characters in format 4`)
  const segments = view.readUInt16BE(format4 + 6) / 2
  const found = new Set<string>()
  for (let segment = 0; segment < segments; segment++) {
    const end = view.readUInt16BE(format4 + 14 + 2 * segment)
    const start = view.readUInt16BE(format4 + 16 + 2 * segments + 2 * segment)
    for (let code = start; code <= end && code < 0xffff; code++) found.add(String.fromCharCode(code))
  }
  return found
}

test('every character of the display texts is in the display face, and each file is asked for by its own', async () => {
  const css = await readFile(`${FOLDER}/display.css`, 'utf8')
  const everywhere = await listCharacters('everywhere')
  const some = await listCharacters('some')
  const isMissing = (has: Set<string>) => (character: string) => character.trim() && !has.has(character)
  expect(Array.from(displayTexts.everywhere.join('')).filter(isMissing(everywhere))).toEqual([])
  expect(Array.from(displayTexts.some.join('')).filter(isMissing(everywhere.union(some)))).toEqual([])
  const named = [...css.matchAll(/U\+([0-9a-f]+)/g)].map(([, code = '']) =>
    String.fromCodePoint(parseInt(code, 16)),
  )
  expect(new Set(named)).toEqual(everywhere.union(some))
})

test('together its files weigh less than 60 kB', async () => {
  const files = await Promise.all(
    ['everywhere', 'some'].map((name) => readFile(`${FOLDER}/wenqu-song-${name}.woff2`)),
  )
  expect(files.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(60_000)
})
