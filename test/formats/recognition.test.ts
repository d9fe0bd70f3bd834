import { readFileSync } from 'node:fs'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { rereadPages } from '#server/formats/formats.ts'
import type { Recognise } from '#server/formats/formats.ts'
import { latin, makePdf } from './make-pdf.ts'
import { makeZip } from './make-container.ts'
import { read, readApart, textOf } from './read.ts'

/** 问渠那得清如许 and Invoice 2026 in two lines, black on white, 560 × 150. */
const photo = readFileSync(new URL('./fixtures/text.jpg', import.meta.url))

/** Turns the photo as an upright camera stores it, with a note how to turn it back. */
async function turnPhoto(): Promise<Buffer> {
  const image = await loadImage(photo)
  const canvas = createCanvas(image.height, image.width)
  const context = canvas.getContext('2d')
  context.translate(0, image.width)
  context.rotate(-Math.PI / 2)
  context.drawImage(image, 0, 0)
  const turned = canvas.toBuffer('image/jpeg')
  // The marker, TIFF's header, one entry: orientation 6.
  const exif = Buffer.from('ffe1002245786966000049492a0008000000010012010300010000000600000000000000', 'hex')
  return Buffer.concat([turned.subarray(0, 2), exif, turned.subarray(2)])
}

test('a photo is read by the OCR that is built in, turned as its camera says', async () => {
  const reading = await readApart(await turnPhoto(), 'IMG_0001.JPG')
  expect(reading.format).toBe('image')
  expect(textOf(reading)).toMatch(/问渠那得清如许\nInvoice 2026/)
  expect(reading.report).toMatchObject({ unit: 'image', recognised: [1], blank: [] })
})

test('a picture is read by the function of the caller, which gets it upright', async () => {
  const sizes: number[][] = []
  const reading = await readApart(await turnPhoto(), 'a.jpg', {
    recognise: async (png) => {
      const { width, height } = await loadImage(Buffer.from(png))
      sizes.push([width, height])
      return '模型读出的字'
    },
  })
  expect(sizes).toEqual([[560, 150]])
  expect(reading.pieces).toEqual([{ text: '模型读出的字', place: {} }])
})

test('pages without text are read again from their pictures, and only these, by a process of its own', async () => {
  const image = `<</Type/XObject/Subtype/Image/Width 560/Height 150/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${photo.length}>>stream\n${photo.toString('latin1')}\nendstream`
  const scan = { content: 'q 224 0 0 60 40 600 cm /I Do Q' }
  const file = makePdf([{ content: latin(72, 700, 'text') }, scan, { content: '' }], { objects: [image] })
  const bytes = Buffer.from(
    file.toString('latin1').replaceAll('/Resources<<', '/Resources<</XObject<</I 12 0 R>>'),
    'latin1',
  )
  expect((await read(bytes, 'a.pdf')).report.blank).toEqual([2, 3])
  const sizes: number[][] = []
  const recognise: Recognise = async (png, { page }) => {
    const { width, height } = await loadImage(Buffer.from(png))
    sizes.push([page!, width, height])
    return page === 2 ? '问渠那得清如许' : ''
  }
  const reading = await rereadPages({ source: { bytes }, name: 'a.pdf', recognise }, [3, 2])
  // A4 at 180 dpi.
  expect(sizes).toEqual([
    [2, 1488, 2105],
    [3, 1488, 2105],
  ])
  expect(textOf(reading)).toBe('问渠那得清如许')
  expect(reading.pieces[0]?.place).toEqual({ page: 2 })
  expect(reading.report).toMatchObject({ total: 2, read: 2, recognised: [2], blank: [3] })
})

test('a recogniser that fails ends the reading with its error', async () => {
  const error = new Error('no model')
  await expect(readApart(photo, 'a.jpg', { recognise: () => Promise.reject(error) })).rejects.toBe(error)
})

test('a picture that claims to be immense is not unpacked, and one that is none is damaged', async () => {
  const header = Buffer.from('89504e470d0a1a0a0000000d49484452000186a0000186a00802000000', 'hex')
  await expect(read(Buffer.concat([header, Buffer.alloc(100)]), 'a.png')).rejects.toMatchObject({
    code: 'document_too_large',
  })
  await expect(read(photo.subarray(0, 200), 'a.jpg')).rejects.toMatchObject({ code: 'document_damaged' })
})

test('pictures in an archive are reported, and what has no pages cannot be read again', async () => {
  const bytes = makeZip({ 'a.txt': '字', 'b.jpg': photo })
  expect((await read(bytes, 'a.zip')).report.skipped).toMatchObject([{ what: 'b.jpg', reason: 'picture' }])
  await expect(rereadPages({ source: { bytes }, name: 'a.zip' }, [1])).rejects.toMatchObject({
    code: 'document_unsupported',
  })
})
