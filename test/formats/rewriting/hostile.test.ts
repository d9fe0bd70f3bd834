import { expect, test } from 'vitest'
import { extractSegments, rebuildDocument } from '#server/formats/formats.ts'
import { makeZip } from '../make-container.ts'
import { latin, makePdf } from '../make-pdf.ts'
import { take } from './take.ts'

const docx = (document: string, lies: Parameters<typeof makeZip>[1] = {}): Buffer =>
  makeZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': document }, lies)
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const text = `<w:document ${W}><w:body><w:p><w:r><w:t>Hello</w:t></w:r></w:p></w:body></w:document>`

test('a document is extracted and rebuilt in a process of its own', async () => {
  const bytes = docx(text)
  expect(await extractSegments({ bytes }, 'a.docx')).toEqual({
    format: 'docx',
    segments: [{ n: 1, text: 'Hello', place: {} }],
    kept: [],
  })
  const { bytes: done, name } = await rebuildDocument(
    { bytes },
    'a.docx',
    new Map([[1, '你好']]),
    'translated',
  )
  expect(name).toBe('a.docx')
  expect((await take(done, 'a.docx')).segments[0]?.text).toBe('你好')
})

test('a PDF gets its pages of translation in a process of its own', async () => {
  const bytes = makePdf([{ content: latin(60, 700, 'Hello there') }])
  const made = await rebuildDocument({ bytes }, 'a.pdf', new Map([[1, '你好']]), 'bilingual')
  expect((await take(made.bytes, made.name)).segments).toEqual([
    { n: 1, text: 'Hello there', place: { page: 1 } },
    { n: 2, text: '你好', place: { page: 2 } },
  ])
})

test.each([
  ['nothing', Buffer.alloc(0), 'a.docx', 'document_empty'],
  ['what is no document', Buffer.from('504b0304ffff', 'hex'), 'a.docx', 'document_damaged'],
  [
    'a program',
    Buffer.concat([Buffer.from('7f454c46', 'hex'), Buffer.alloc(64)]),
    'a.docx',
    'document_unsupported',
  ],
  ['a document without a text', docx(text.replace('Hello', '1 + 1 = 2')), 'a.docx', 'document_empty'],
  ['a PDF of pictures', makePdf([{ content: '' }]), 'a.pdf', 'document_empty'],
  [
    'elements within elements without an end',
    docx(`${text}${'<w:p>'.repeat(1000)}`),
    'a.docx',
    'document_bomb',
  ],
  [
    'a part that is larger than it may be',
    docx(`<w:p>${' '.repeat(8_000_000)}</w:p>`),
    'a.docx',
    'document_bomb',
  ],
  [
    'a part with a password',
    docx(text, { 'word/document.xml': { flags: 1 } }),
    'a.docx',
    'document_encrypted',
  ],
])('%s ends in an error that says so', async (_, bytes, name, code) => {
  await expect(take(bytes, name)).rejects.toMatchObject({ code })
})

// The reading process takes everything that pdf.js leaves behind with it.
test.each([
  [
    'a PDF with a password',
    makePdf([], { trailer: '/Encrypt<</Filter/Standard/V 1/R 2/P -4/O(x)/U(y)>>/ID[(a)(a)]' }),
    'a.pdf',
    'document_encrypted',
  ],
  ['a PDF that is none', Buffer.from('%PDF-1.7\nnothing'), 'a.pdf', 'document_damaged'],
])('%s ends its process with an error that says so', async (_, bytes, name, code) => {
  await expect(extractSegments({ bytes }, name)).rejects.toMatchObject({ code })
})

test('an abort ends the process', async () => {
  const abort = new AbortController()
  const taken = extractSegments({ bytes: docx(text) }, 'a.docx', abort.signal)
  abort.abort(new Error('left'))
  await expect(taken).rejects.toThrow('left')
})
