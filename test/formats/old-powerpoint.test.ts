import { expect, test } from 'vitest'
import { makeCompoundFile } from './make-container.ts'
import { u16, u32 } from './make-doc.ts'
import { read } from './read.ts'

const record = (type: number, data: Buffer[], head = 0): Buffer => {
  const bytes = Buffer.concat(data)
  return Buffer.concat([u16(head, type), u32(bytes.length), bytes])
}
const container = (type: number, ...data: Buffer[]): Buffer => record(type, data, 0xf)
const text = (characters: string): Buffer => record(0x0fa0, [Buffer.from(characters, 'utf16le')])
const box = (...data: Buffer[]): Buffer => container(0x040c, container(0xf002, container(0xf004, ...data)))

/** Makes slides of these records; each stands in the list with the number of its place. */
function makePpt(slides: Buffer[], document: Buffer[] = []): Buffer {
  const list = slides.map((_, index) => record(0x03f3, [u32(index + 2, 0, 0, 256 + index, 0)]))
  const objects = [container(0x03e8, ...document, container(0x0ff0, ...list)), ...slides]
  let at = 0
  const offsets = objects.map((object) => {
    at += object.length
    return at - object.length
  })
  const directory = record(0x1772, [u32((objects.length << 20) | 1, ...offsets)])
  const edit = record(0x0ff5, [u32(0, 0, 0, at, 1, 0, 0)])
  return makeCompoundFile({
    'PowerPoint Document': Buffer.concat([...objects, directory, edit]),
    'Current User': Buffer.concat([Buffer.alloc(16), u32(at + directory.length)]),
  })
}

test('old slides keep superscripts, footers, comments and pictures, and hidden ones are reported', async () => {
  const style = record(0x0fa1, [
    u32(8),
    u16(0),
    u32(0x800),
    u16(1),
    u32(2, 0),
    u32(1, 0xa0000),
    u16(24),
    u16(30),
    u32(5, 0),
  ])
  const footer = container(0x0fd9, record(0x0fba, [Buffer.from('内部资料', 'utf16le')], 0x20))
  const comment = container(0x2ee0, record(0x0fba, [Buffer.from('请核对', 'utf16le')], 0x10))
  const picture = record(0xf00b, [u16(0x104), u32(1)], 1 << 4)
  const first = container(
    0x03ee,
    box(container(0xf00d, text('10610 m'), style)),
    box(container(0xf00d, text('*')), picture),
    record(0x138b, [comment]),
  )
  const hidden = container(
    0x03ee,
    record(0x03f9, [Buffer.alloc(10), u16(4), u32(0)]),
    box(container(0xf00d, text('乙'))),
  )
  const reading = await read(makePpt([first, hidden], [footer]), 'a.ppt')
  expect(reading.pieces).toEqual([
    { text: '10⁶10 m\n\n内部资料\n\n> 批注：请核对', place: { slide: 1 } },
    { text: '乙', place: { slide: 2 } },
  ])
  expect(reading.report.skipped).toMatchObject([
    { reason: 'picture', place: { slide: 1 } },
    { reason: 'hidden', what: '第 2 页' },
  ])
})
