import PostalMime from 'postal-mime'
import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { escapeText, formatHeading } from '../text/markdown.ts'
import { getContent, parsePage } from '../html/document.ts'
import { writeRtf } from '../rtf/read.ts'
import { writeHtml } from '../html/write-html.ts'
import { Sections } from '../text/sections.ts'
import { readAttachment } from '../archive/read.ts'
import type { ReadWithin } from '../archive/read.ts'

export type Mail = {
  subject: string
  fields: [name: string, text: string][]
  html: string
  text: string
  /** Unpacks the body as rich text, a character a byte; called where there is no other. */
  getRtf?: () => string
  attachments: { name: string; type: string; getBytes: () => Buffer; isPicture: boolean }[]
}

const MAX_NESTING = 20
const MAX_HEADERS_BYTES = 1024 * 1024

type Address = { name?: string; address?: string; group?: Address[] }

export async function readEml(document: Document, output: Output, readWithin: ReadWithin): Promise<void> {
  const bytes = readAll(document.input, output.limits.whole_bytes)
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADERS_BYTES,
  })
  await writeMail(
    {
      subject: mail.subject ?? '',
      fields: [
        ['发件人', formatAddresses(mail.from ? [mail.from] : [])],
        ['收件人', formatAddresses(mail.to ?? [])],
        ['抄送', formatAddresses(mail.cc ?? [])],
        ['密送', formatAddresses(mail.bcc ?? [])],
        ['回复至', formatAddresses(mail.replyTo ?? [])],
        ['时间', mail.date ?? ''],
      ],
      html: mail.html ?? '',
      text: mail.text ?? '',
      attachments: mail.attachments.map(({ filename, mimeType, content, related }) => ({
        name: filename ?? mimeType,
        type: mimeType,
        getBytes: () =>
          Buffer.from(typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)),
        isPicture: Boolean(related) && mimeType.startsWith('image/'),
      })),
    },
    document,
    output,
    readWithin,
  )
}

const formatAddresses = (addresses: Address[]): string =>
  addresses
    .flatMap(({ name, address, group }) =>
      group ? [formatAddresses(group)] : [name && address ? `${name} <${address}>` : (address ?? name ?? '')],
    )
    .filter(Boolean)
    .join('、')

/** Writes the subject, fields and text of a mail, then its attachments. */
export async function writeMail(
  mail: Mail,
  document: Document,
  output: Output,
  readWithin: ReadWithin,
): Promise<void> {
  output.begin('section', 1)
  const fields = mail.fields.filter(([, text]) => text).map(([name, text]) => `${name}：${escapeText(text)}`)
  const subject = mail.subject.trim()
  output.title = subject || undefined
  output.add(
    [subject ? formatHeading(1, escapeText(subject)) : '', fields.join('  \n')].filter(Boolean).join('\n\n'),
  )
  const sections = new Sections(output)
  if (mail.html.trim()) writeHtml(getContent(parsePage(mail.html)), sections)
  else if (!mail.text.trim() && mail.getRtf) writeRtf(mail.getRtf(), output, sections)
  else for (const paragraph of mail.text.split(/\n\s*\n/)) sections.block(escapeText(paragraph.trim()))
  sections.end()
  output.endUnit()
  for (const { name, type, getBytes, isPicture } of mail.attachments) {
    // Pictures that the text embeds are its decoration.
    if (isPicture) output.skip('picture', name)
    else await readAttachment(name, getBytes, output, document, readWithin, type)
  }
}
