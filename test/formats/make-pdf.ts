import { readFileSync } from 'node:fs'

/** A page of a PDF that a test makes: its content stream and its rotation. */
export type PdfPage = { content: string; rotate?: number }

/** Writes text in a font that every reader has. */
export const latin = (x: number, y: number, text: string, size = 12): string =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`

const toHex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')

/** Writes Chinese text in a font that is not in the file, nor is its character map. */
export const chinese = (x: number, y: number, text: string, size = 12): string =>
  `BT /F2 ${size} Tf ${x} ${y} Td <${toHex(text)}> Tj ET`

/** Writes the same from top to bottom. */
export const vertical = (x: number, y: number, text: string, size = 12): string =>
  `BT /F3 ${size} Tf ${x} ${y} Td <${toHex(text)}> Tj ET`

/** Writes text along a direction, in degrees counterclockwise. */
export function turned(x: number, y: number, text: string, degrees: number): string {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  const matrix = [cos, sin, -sin, cos].map((value) => value.toFixed(3)).join(' ')
  return `BT /F1 12 Tf ${matrix} ${x} ${y} Tm (${text}) Tj ET`
}

const cjkFont = (map: string): string =>
  `<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/${map}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/DW 1000/FontDescriptor<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[0 -120 1000 880]/ItalicAngle 0/Ascent 880/Descent -120/StemV 93/CapHeight 880>>>>]>>`

/** Makes a PDF file of these pages, on A4. `trailer` is added to its trailer, `root` to the dictionary of its root. */
export function makePdf(
  pages: PdfPage[],
  { trailer = '', root = '', objects: more = [] as string[] } = {},
): Buffer {
  const kids = pages.map((_, index) => `${6 + index * 2} 0 R`).join(' ')
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${root}>>`,
    `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    cjkFont('UniGB-UCS2-H'),
    cjkFont('UniGB-UCS2-V'),
    ...pages.flatMap(({ content, rotate = 0 }, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Rotate ${rotate}/Contents ${7 + index * 2} 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R/F3 5 0 R>>>>>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ]),
    ...more,
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF`
  return Buffer.from(file, 'latin1')
}

/** Makes three small pages: text, a picture of text, text. */
export function makeScannedPdf(): Buffer {
  const photo = readFileSync(new URL('./fixtures/text.jpg', import.meta.url))
  const image = `<</Type/XObject/Subtype/Image/Width 560/Height 150/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${photo.length}>>stream\n${photo.toString('latin1')}\nendstream`
  const picture = { content: 'q 224 0 0 60 10 10 cm /I Do Q' }
  const pages = [{ content: latin(10, 40, 'first') }, picture, { content: latin(10, 40, 'third') }]
  const file = makePdf(pages, { objects: [image] })
  return Buffer.from(
    file
      .toString('latin1')
      .replaceAll('/Resources<<', '/Resources<</XObject<</I 12 0 R>>')
      // As long as A4's, since the file has a table of the places of its objects.
      .replaceAll('[0 0 595 842]', '[0 0 280 80] '),
    'latin1',
  )
}
