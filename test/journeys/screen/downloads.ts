import { readFile } from 'node:fs/promises'
import { inflateRawSync, inflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { exportText } from '#web/text/export.ts'
import { button } from './chat-screen.ts'

export type SavedFile = { name: string; bytes: Buffer }

/** Returns the file that the page saves during `action`. */
export async function saveFile(page: Page, action: () => Promise<void>): Promise<SavedFile> {
  const downloading = page.waitForEvent('download', { timeout: 90_000 })
  await action()
  const download = await downloading
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

/** Exports the conversation on the screen by the menu of the top bar. */
export const exportConversation = (page: Page, format: keyof typeof exportText.formats): Promise<SavedFile> =>
  saveFile(page, async () => {
    await button(page, exportText.menu).click()
    await page.getByRole('menuitem', { name: exportText.formats[format] }).click()
  })

/** Returns the files of a ZIP by name, as its central directory lists them. */
export function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const end = zip.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
    const local = zip.readUInt32LE(at + 42)
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const data = zip.subarray(from, from + packed)
    const content = method === 8 ? inflateRawSync(data) : data
    files.set(zip.toString('utf8', at + 46, at + 46 + (name ?? 0)), content.toString('utf8'))
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return files
}

export type DecodedImage = { width: number; height: number; pixel: (x: number, y: number) => number }

/** Decodes a PNG of RGB rows without filters, as the product writes them; `pixel` is `0xrrggbb`. */
export function readPng(png: Buffer): DecodedImage {
  const data: Buffer[] = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const lines = inflateSync(Buffer.concat(data))
  const line = width * 3 + 1
  if (lines.length !== line * height) throw new Error(`${lines.length} bytes are not ${width} × ${height}`)
  return { width, height, pixel: (x, y) => lines.readUIntBE(y * line + 1 + x * 3, 3) }
}
