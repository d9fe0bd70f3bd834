import { expect, test } from 'vitest'
import { filesText } from '#web/text/files.ts'
import { addUploads } from '../uploadQueue.ts'
import { getUpload } from '../uploadStore.ts'
import { toCommonPicture } from './commonPicture.ts'

/** A bitmap of two pixels, red and blue. */
function createBmp(): File {
  const bytes = new Uint8Array(54 + 8)
  const view = new DataView(bytes.buffer)
  bytes.set([0x42, 0x4d])
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, 54, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, 2, true)
  view.setInt32(22, 1, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  bytes.set([0, 0, 255, 255, 0, 0], 54)
  return new File([bytes], '照片.2026.bmp', { type: 'image/bmp' })
}

/** A TIFF with `pages` empty directories. */
function createTiff(pages: number): File {
  const bytes = new Uint8Array(8 + pages * 6)
  const view = new DataView(bytes.buffer)
  bytes.set([0x49, 0x49, 42, 0])
  view.setUint32(4, 8, true)
  for (let n = 0; n < pages - 1; n++) view.setUint32(8 + n * 6 + 2, 8 + (n + 1) * 6, true)
  return new File([bytes], '扫描.tif', { type: '' })
}

test('a picture that the browser opens and models do not goes as JPEG; others stay as they are', async () => {
  const jpeg = await toCommonPicture(createBmp())
  expect([jpeg.name, jpeg.type]).toEqual(['照片.2026.jpg', 'image/jpeg'])
  const bitmap = await createImageBitmap(jpeg)
  expect([bitmap.width, bitmap.height]).toEqual([2, 1])
  const png = new File(['x'], 'a.png', { type: 'image/png' })
  expect(await toCommonPicture(png)).toBe(png)
})

test.each([
  ['a HEIC photo', new File(['\0\0\0\u0018ftypheic'], 'IMG_1.HEIC', { type: '' }), filesText.heicUnreadable],
  [
    'one that was renamed',
    new File(['\0\0\0\u0018ftypheic'], 'IMG_1.jpg', { type: 'image/jpeg' }),
    filesText.heicUnreadable,
  ],
  ['one without a type', new File(['\0\0\0\u0018ftypheic'], 'IMG_1', { type: '' }), filesText.heicUnreadable],
  [
    'a picture in JPEG 2000',
    new File(['\0\0\0\u000cjP  \r\n'], 'a.jp2', { type: 'image/jp2' }),
    filesText.pictureUnreadable,
  ],
  ['a TIFF', createTiff(1), filesText.tiffUnreadable],
  ['a TIFF of several pages', createTiff(3), filesText.tiffPages],
])('%s that the browser cannot open is refused in words before anything is sent', async (_, file, words) => {
  const [key = ''] = addUploads([file], { channel: 'block', level: 'pro-0' })
  await expect.poll(() => getUpload(key)).toMatchObject({ state: 'failed', error: words, isRetryable: false })
  const calls = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'))
  expect(calls).toEqual([])
})
