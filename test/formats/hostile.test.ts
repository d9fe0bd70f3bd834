import { readdir, readFile } from 'node:fs/promises'
import { createCanvas } from '@napi-rs/canvas'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openCompoundFile } from '#server/formats/containers/cfb.ts'
import { codeOfFailure, executeJob } from '#server/formats/process/job.ts'
import { joinStrays } from '#server/formats/pdf/scripts.ts'
import { DEFAULT_LIMITS } from '#server/formats/process/limits.ts'
import { makeCompoundFile, makeZip } from './make-container.ts'
import { makeDoc } from './make-doc.ts'
import { makeDocx, paragraph, W } from './make-office.ts'
import { read, readApart, textOf } from './read.ts'

const OFFICE = { '[Content_Types].xml': '<Types/>' }
const docx = (xml: string): Buffer => makeZip({ ...OFFICE, 'word/document.xml': xml })
const code = (code: string): { code: string } => ({ code })
const MB = 1024 * 1024

/** Ends the processes that this one has started, as a machine without memory does. */
async function killChildren(signal: NodeJS.Signals): Promise<void> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (parent === process.pid) process.kill(Number(name), signal)
  }
}

test.skipIf(process.platform !== 'linux').each(['SIGKILL', 'SIGTERM'] as const)(
  'a reading that the machine ends with %s was interrupted: that says nothing of the document',
  async (signal) => {
    const recognise = () => killChildren(signal).then(() => new Promise<string>(() => {}))
    const reading = readApart(createCanvas(8, 8).toBuffer('image/png'), 'a.png', { recognise })
    await expect(reading).rejects.toMatchObject(code('document_interrupted'))
  },
)

test('a disk that fails while a document is read says nothing of the document', async () => {
  const limits = DEFAULT_LIMITS
  const job = {
    source: { path: '/nowhere/a.txt' },
    name: 'a.txt',
    article: false,
    limits,
    hasRecogniser: false,
  }
  const context = { onProgress: () => {}, recognise: () => Promise.resolve('') }
  await expect(executeJob(job, context)).rejects.toMatchObject(code('document_interrupted'))
})

test('a member that unpacks to hundreds of times its size is a bomb, whatever it says of itself', async () => {
  const bomb = makeZip({ 'a.txt': Buffer.alloc(8 * MB) }, { 'a.txt': { flags: 0, size: 10 } })
  await expect(read(bomb, 'a.zip')).rejects.toMatchObject(code('document_bomb'))
  await expect(read(docx(' '.repeat(8 * MB)), 'a.docx')).rejects.toMatchObject(code('document_bomb'))
})

test('many members that are small each are a bomb together', async () => {
  const members = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`${index}.txt`, 'x'.repeat(MB)]),
  )
  await expect(read(makeZip(members), 'a.zip', { limits: { inflated_bytes: 8 * MB } })).rejects.toMatchObject(
    code('document_bomb'),
  )
})

test('archives within archives are read to a depth, and members to a number', async () => {
  let file: Buffer = Buffer.from('最里面')
  for (let depth = 0; depth < 5; depth++) file = makeZip({ [`${depth}.${depth ? 'zip' : 'txt'}`]: file })
  await expect(read(file, 'a.zip')).rejects.toMatchObject(code('document_empty'))
  const many = makeZip(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}.txt`, '字'])))
  const reading = await read(many, 'a.zip', { limits: { entries: 10 } })
  expect(reading.report).toMatchObject({ total: 10, skipped: [{ reason: 'limit', what: '11–50' }] })
})

test('entities that a document defines are never expanded', async () => {
  const laughs = Array.from(
    { length: 10 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  ).join('')
  const xml = `<!DOCTYPE x [<!ENTITY l0 "ha"><!ENTITY file SYSTEM "file:///etc/passwd">${laughs}]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&l9;&file;好</w:t></w:r></w:p></w:body></w:document>`
  expect(textOf(await read(docx(xml), 'a.docx'))).toBe('&l9;&file;好')
})

test('what nests without end is refused or read flat', async () => {
  await expect(read(docx('<a>'.repeat(100_000)), 'a.docx')).rejects.toMatchObject(code('document_bomb'))
  expect(textOf(await read(`${'<div><b>'.repeat(5000)}深处`, 'a.html'))).toContain('深处')
  const templates = `<p>甲</p>${'<template>'.repeat(20_000)}`
  expect(textOf(await read(templates, 'a.html', { article: true }))).toBe('甲')
  expect(textOf(await read(`${'{'.repeat(100_000)}\\rtf1 x`.replace('{', '{\\rtf1 '), 'a.rtf'))).toContain(
    'x',
  )
})

test('what makes a careless search take for ever is read at once', async () => {
  const long = ' '.repeat(200_000)
  const nested = '<w:tbl><w:tr><w:tc>'.repeat(60)
  const comment = `<w:comments ${W}><w:comment>${paragraph(`甲${long}乙`)}</w:comment></w:comments>`
  const documents: [string | Buffer, string][] = [
    [`甲${long}乙`, 'a.txt'],
    [`# 题 ${'#'.repeat(100_000)} x`, 'a.md'],
    [`"甲","乙${long}丙"\n1,2`, 'a.csv'],
    [`<p>甲</p>${'<table><tr><td>'.repeat(60)}<pre>${'\n'.repeat(100_000)}x</pre>`, 'a.html'],
    [makeDoc({ body: [{ runs: [`${'\u0013\u0014'.repeat(100_000)}${'x'.repeat(100_000)}甲`] }] }), 'a.doc'],
    [
      `<p>甲<input value="${long}"><math><annotation encoding="application/x-tex">x${long}y</annotation></math>`,
      'b.html',
    ],
    [`<?xml version="1.0"?>${'<!DOCTYPE['.repeat(80_000)}><p>甲`, 'c.html'],
    [`1\n00:00:01,000 --> 00:00:02,000\n甲${'<v '.repeat(50_000)}`, 'a.srt'],
    [
      docx(`<w:document ${W}><w:body><w:p ${'x'.repeat(200_000)}><w:r><w:t>甲</w:t></w:r></w:p>${nested}`),
      'a.docx',
    ],
    [makeDocx('', { 'word/comments.xml': comment }, [['c', 'comments', 'comments.xml']]), 'b.docx'],
  ]
  // All in one process, which ends even where a reader does not.
  const archive = makeZip(Object.fromEntries(documents.map(([content, name]) => [name, content])))
  const { pieces } = await readApart(archive, 'a.zip', { limits: { total_ms: 50_000, silent_ms: 50_000 } })
  for (const [, name] of documents) {
    const text = pieces.flatMap((piece) => (piece.place.entry === name ? piece.text : [])).join('\n')
    expect(text, name).toMatch(/甲|题/)
  }
})

test('a page may have more pieces of text than a call may have arguments', () => {
  const row = Array.from({ length: 200_000 }, (_, at) => ({
    text: 'a',
    x: at * 10,
    right: at * 10 + 6,
    y: 0,
    size: 12,
    isRtl: false,
  }))
  expect(joinStrays([row])).toEqual([row])
})

test('a container that was cut off is damaged', async () => {
  const file = docx('<w:document/>')
  for (const cut of [file.subarray(0, 40), file.subarray(0, -10)]) {
    await expect(read(cut, 'a.docx')).rejects.toMatchObject(code('document_damaged'))
  }
  const old = makeCompoundFile({ WordDocument: Buffer.alloc(4096) })
  await expect(read(old.subarray(0, 1000), 'a.doc')).rejects.toMatchObject(code('document_damaged'))
})

test('what is behind a password says so', async () => {
  const locked = makeCompoundFile({ EncryptedPackage: Buffer.alloc(10), EncryptionInfo: Buffer.alloc(10) })
  await expect(read(locked, 'a.xlsx')).rejects.toMatchObject(code('document_encrypted'))
  const document = makeZip({ ...OFFICE, 'word/document.xml': 'x' }, { 'word/document.xml': { flags: 0x801 } })
  await expect(read(document, 'a.docx')).rejects.toMatchObject(code('document_encrypted'))
})

test('a file is what its bytes are, not what its name says', async () => {
  expect(await read(makeZip({ 'a.txt': '好' }), 'a.pdf')).toMatchObject({ format: 'zip' })
  expect(await read('只是文字', 'a.docx')).toMatchObject({ format: 'txt', pieces: [{ text: '只是文字' }] })
  await expect(read(Buffer.from('7f454c4602010100', 'hex'), 'a.txt')).rejects.toMatchObject(
    code('document_unsupported'),
  )
  await expect(read(Buffer.from('4944330400000000', 'hex'), 'a.bin')).rejects.toMatchObject(
    code('document_recording'),
  )
  await expect(read('', 'a.txt')).rejects.toMatchObject(code('document_empty'))
  await expect(read(' \n', 'a.md')).rejects.toMatchObject(code('document_empty'))
})

test('a reading that takes too long or too much memory is ended', async () => {
  const rows = '1,2,3,4,5,6,7,8\n'.repeat(60_000)
  await expect(readApart(rows, 'a.csv', { limits: { total_ms: 1 } })).rejects.toMatchObject(
    code('document_timeout'),
  )
  await expect(readApart(rows, 'a.csv', { limits: { memory_mb: 16 } })).rejects.toMatchObject(
    code('document_memory'),
  )
})

test('beyond the limit of text a reading ends with what it has', async () => {
  const reading = await read('一行字\n'.repeat(50_000), 'a.txt', { limits: { text: 20_000 } })
  expect(textOf(reading).length).toBeGreaterThan(20_000)
  expect(reading.report.skipped).toMatchObject([{ reason: 'limit' }])
})

test('a reading that is aborted ends with the reason', async () => {
  const controller = new AbortController()
  const reason = new Error('left')
  const reading = readApart('一行字\n'.repeat(50_000), 'a.txt', { signal: controller.signal })
  controller.abort(reason)
  await expect(reading).rejects.toBe(reason)
})

test('only what grew without end is a bomb, and other errors of a parser are damage', () => {
  const nest = (): number => nest() + 1
  const failures: [code: string, fail: () => unknown][] = [
    ['document_bomb', nest],
    ['document_bomb', () => 'x'.repeat(2 ** 29).repeat(4)],
    ['document_bomb', () => deflateRawSync(Buffer.alloc(1000), { maxOutputLength: 2 })],
    ['document_damaged', () => Buffer.alloc(2).readUInt32LE(0)],
    ['document_damaged', () => new DataView(new ArrayBuffer(2)).getUint32(0)],
    ['document_damaged', () => String.fromCodePoint(0x110000)],
    ['document_damaged', () => new Date(NaN).toISOString()],
    ['document_damaged', () => new TextDecoder('no-such-encoding')],
  ]
  for (const [expected, fail] of failures) {
    let failure: unknown
    try {
      fail()
    } catch (error) {
      failure = error
    }
    expect(failure).toBeInstanceOf(Error)
    expect(codeOfFailure(failure), String(failure)).toBe(expected)
  }
})

test('a chain of sectors that loops makes no stream larger than the file', () => {
  const file = makeCompoundFile({ Workbook: Buffer.alloc(4096) })
  const table = file.readUInt32LE(76)
  for (let at = 76; at < 512; at += 4) file.writeUInt32LE(table, at)
  // The first sector of the stream is followed by itself.
  file.writeUInt32LE(0, (table + 1) * 512)
  const entry = (file.readUInt32LE(48) + 1) * 512 + 128
  file.writeUInt32LE(0x7fffffff, entry + 120)
  expect(openCompoundFile(file).streams.get('Workbook')!().length).toBeLessThanOrEqual(file.length)
})
