import { expect, test } from 'vitest'
import { toReadablePicture, UnreadablePictureError } from './readablePicture.ts'

/** An AVIF of 3 × 2 red points, which this browser opens. */
const AVIF =
  'AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAHAAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAAAAADAAAAAgAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAAACRtZGF0EgAKBRgEKwIQMhEYAAooooQAALATVl9ApOsM/A=='
const bytes = Uint8Array.from(atob(AVIF), (char) => char.charCodeAt(0))
/** Under the brand that phones write. */
const foreign = bytes.map((byte, i) => (i >= 8 && i < 12 ? 'mif1'.charCodeAt(i - 8) : byte))

test('a picture that only the browser can open becomes a JPEG of the same size, whatever it is called', async () => {
  const file = new File([foreign], '华东大区盘点现场（第4版）.HEIC', { type: 'image/heic' })
  const readable = await toReadablePicture(file)
  expect([readable.name, readable.type]).toEqual(['华东大区盘点现场（第4版）.jpg', 'image/jpeg'])
  const { width, height } = await createImageBitmap(readable)
  expect([width, height]).toEqual([3, 2])
})

test('one that it cannot open is refused', async () => {
  const tiff = new File([new Uint8Array([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0, 0, 0, 0])], '扫描件.jpg', {
    type: 'image/jpeg',
  })
  await expect(toReadablePicture(tiff)).rejects.toThrow(UnreadablePictureError)
})

test('every other file stays as it is', async () => {
  for (const content of [bytes, new Uint8Array(), new TextEncoder().encode('渠')]) {
    const file = new File([content], 'a')
    expect(await toReadablePicture(file)).toBe(file)
  }
})
