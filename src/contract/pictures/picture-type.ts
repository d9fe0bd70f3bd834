/** The first bytes of pictures, in hex, by their type. Formats of the HEIF family are told by their brand (ISO/IEC 23008-12). */
const BEGINNINGS: [RegExp, string][] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^474946383[79]61/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^(49492a00|4d4d002a)/, 'image/tiff'],
  [/^.{8}6674797061766966|^.{8}6674797061766973/, 'image/avif'],
  // heic, heix, heim, heis, hevc, hevx; mif1, msf1
  [/^.{8}66747970(6865|6d696631|6d736631)/, 'image/heic'],
  [/^0000000c6a5020200d0a870a/, 'image/jp2'],
  [/^(ff0a|0000000c4a584c200d0a870a)/, 'image/jxl'],
  [/^00000100/, 'image/x-icon'],
  [/^424d.{8}00000000/, 'image/bmp'],
]

/** Bytes that tell the type of a picture. */
export const PICTURE_HEAD_BYTES = 12

/** Returns the type of a picture by its first bytes, whatever it is called; null for anything else. */
export function detectPictureType(head: Uint8Array): string | null {
  const bytes = [...head.subarray(0, PICTURE_HEAD_BYTES)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return BEGINNINGS.find(([beginning]) => beginning.test(hex))?.[1] ?? null
}
