import { expect, test } from 'vitest'
import { unpackRtf } from '#server/formats/old-office/compressed-rtf.ts'
import { makeCompoundFile, makeZip } from './make-container.ts'
import { read, textOf } from './read.ts'

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const base64 = (content: string | Buffer): string => Buffer.from(content as string).toString('base64')

test('a mail is read with its fields, its text and what is attached to it', async () => {
  const mail = [
    'From: =?gb18030?B?zfXQocP3?= <wang@example.com>',
    'To: li@example.com',
    'Subject: =?UTF-8?B?5Lya6K6u57qq6KaB?=',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/html; charset=gbk',
    'Content-Transfer-Encoding: base64',
    '',
    base64(Buffer.concat([Buffer.from('<p>'), Buffer.from('d6d0cec4', 'hex'), Buffer.from('</p>')])),
    '--x',
    'Content-Type: application/octet-stream; name="a.zip"',
    'Content-Disposition: attachment; filename="a.zip"',
    'Content-Transfer-Encoding: base64',
    '',
    base64(makeZip({ '表.csv': '甲,乙\n1,2' })),
    '--x--',
  ].join('\r\n')
  const reading = await read(mail, 'a.eml')
  expect(reading).toMatchObject({ format: 'eml', title: '会议纪要' })
  expect(reading.pieces).toEqual([
    { text: '# 会议纪要\n\n发件人：王小明 \\<wang@example.com>  \n收件人：li@example.com', place: {} },
    { text: '中文', place: {} },
    { text: '| 甲 | 乙 |\n| --- | --- |\n| 1 | 2 |', place: { entry: 'a.zip/表.csv', range: 'A1:B2' } },
  ])
})

test('a message of Outlook is read like any other mail', async () => {
  const file = makeCompoundFile({
    '__properties_version1.0': Buffer.alloc(32),
    '__substg1.0_0037001F': utf16('报价'),
    '__substg1.0_0C1A001F': utf16('王小明'),
    '__substg1.0_1000001F': utf16('第一段\r\n\r\n第二段'),
    // The same as rich text, which is damaged.
    '__substg1.0_10090102': Buffer.alloc(4),
    '__attach_version1.0_#00000000/__substg1.0_3707001F': utf16('说明.txt'),
    '__attach_version1.0_#00000000/__substg1.0_37010102': Buffer.from('附件里的字'.repeat(300)),
  })
  const reading = await read(file, 'a.msg')
  expect(reading.format).toBe('msg')
  expect(textOf(reading).replaceAll('\0', '')).toContain('# 报价\n\n发件人：王小明\n\n第一段\n\n第二段')
  expect(reading.pieces.at(-1)).toMatchObject({
    text: '附件里的字'.repeat(300),
    place: { entry: '说明.txt' },
  })
})

test('files of an archive are read one after the other, and what cannot be read is reported', async () => {
  const members = {
    '说明.md': '# 题\n\n文',
    'img.png': Buffer.from('89504e470d0a1a0a', 'hex'),
    '坏.docx': makeZip({ '[Content_Types].xml': '', 'word/x': '' }),
    'locked.txt': 'secret',
    '__MACOSX/._a': 'x',
  }
  const reading = await read(makeZip(members, { 'locked.txt': { flags: 0x801 } }), 'a.zip')
  expect(reading.pieces).toEqual([
    { text: '# 题\n\n文', place: { entry: '说明.md', line: 1, heading: ['题'] } },
  ])
  expect(reading.report).toMatchObject({ unit: 'file', total: 4, read: 4 })
  expect(reading.report.skipped.map(({ what, reason }) => [what, reason])).toEqual([
    ['img.png', 'picture'],
    ['坏.docx', 'damaged'],
    ['locked.txt', 'encrypted'],
  ])
})

test('GBK names of an archive are read', async () => {
  const name = Buffer.from('d6d0cec4cbb5c3f72e747874', 'hex')
  const reading = await read(makeZip({ x: '好' }, { x: { name, flags: 0 } }), 'a.zip')
  expect(reading.pieces[0]?.place.entry).toBe('中文说明.txt')
})

// The example of MS-OXRTFCP 4.1.
test('the rich text of a message is unpacked', () => {
  const packed =
    '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0'
  expect(unpackRtf(Buffer.from(packed, 'hex'))).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n')
})
