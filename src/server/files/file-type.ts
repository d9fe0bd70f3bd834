import { buffer } from 'node:stream/consumers'
import { detectPictureType, PICTURE_HEAD_BYTES } from '#contract/pictures/picture-type.ts'
import { toFileType } from '#contract/uploads.ts'
import type { UploadFile } from '#contract/uploads.ts'
import type { VerifiedObject } from './verified-reader.ts'

/**
 * Returns the type of a file, of pictures by their bytes: models are shown a picture under its type, and phones' pictures are
 * often renamed. Closes the object.
 */
export async function readType(object: VerifiedObject, file: UploadFile): Promise<string> {
  const type = toFileType(file)
  if (!type.startsWith('image/')) {
    await object.close()
    return type
  }
  const end = Math.min(PICTURE_HEAD_BYTES, file.size) - 1
  return detectPictureType(await buffer(await object.read({ start: 0, end }))) ?? type
}
