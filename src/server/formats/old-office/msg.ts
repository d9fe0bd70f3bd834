import { AppError } from '#server/core/app-error.ts'
import type { Storage } from '../containers/cfb.ts'
import type { Document } from '../detect-format.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import type { ReadWithin } from '../archive/read.ts'
import { unpackRtf } from './compressed-rtf.ts'
import { writeMail } from '../mail/read.ts'
import { decodeUtf16 } from '../text/byte-decoder.ts'

/** Properties of a message by their ids (MS-OXPROPS). */
const PROPERTY = {
  SUBJECT: '0037',
  BODY: '1000',
  RTF: '1009',
  HTML: '1013',
  SENDER_NAME: '0C1A',
  SENDER_SMTP: '5D01',
  SENDER_ADDRESS: '0C1F',
  TO: '0E04',
  CC: '0E03',
  BCC: '0E02',
  RECIPIENT_NAME: '3001',
  RECIPIENT_SMTP: '39FE',
  RECIPIENT_ADDRESS: '3003',
  ATTACHED: '3701',
  LONG_NAME: '3707',
  SHORT_NAME: '3704',
  MIME_TYPE: '370E',
  CONTENT_ID: '3712',
}

/** Reads a message of Outlook. */
export async function readMsg(
  storage: Storage,
  document: Document,
  output: Output,
  readWithin: ReadWithin,
): Promise<void> {
  const { getText, getBytes } = readProperties(storage)
  const html = getBytes(PROPERTY.HTML)
  const name = getText(PROPERTY.SENDER_NAME)
  const address = getText(PROPERTY.SENDER_SMTP) || getText(PROPERTY.SENDER_ADDRESS)
  const rtf = getBytes(PROPERTY.RTF)
  const recipients = readRecipients(storage)
  const attachmentStorages = [...storage.storages].filter(([name]) => name.startsWith('__attach_version'))
  await writeMail(
    {
      subject: getText(PROPERTY.SUBJECT),
      fields: [
        [
          '发件人',
          name && address.includes('@') && address !== name ? `${name} <${address}>` : name || address,
        ],
        ['收件人', addAddresses(getText(PROPERTY.TO), recipients)],
        ['抄送', addAddresses(getText(PROPERTY.CC), recipients)],
        ['密送', addAddresses(getText(PROPERTY.BCC), recipients)],
        ['时间', readTime(storage)],
      ],
      html: html
        ? decodeText(html, /charset=["']?([\w-]+)/i.exec(html.toString('latin1', 0, 4096))?.[1]).text
        : getText(PROPERTY.HTML),
      text: getText(PROPERTY.BODY),
      ...(rtf ? { getRtf: () => unpackRtf(rtf) } : {}),
      attachments: attachmentStorages.map(([, attachment]) => {
        const ownProperties = readProperties(attachment)
        const type = ownProperties.getText(PROPERTY.MIME_TYPE)
        return {
          name:
            ownProperties.getText(PROPERTY.LONG_NAME) || ownProperties.getText(PROPERTY.SHORT_NAME) || '附件',
          type,
          isPicture: type.startsWith('image/') && ownProperties.getText(PROPERTY.CONTENT_ID) !== '',
          getBytes: () => {
            const bytes = ownProperties.getBytes(PROPERTY.ATTACHED)
            if (!bytes) throw new AppError('document_unsupported')
            return bytes
          },
        }
      }),
    },
    document,
    output,
    readWithin,
  )
}

type Recipient = { name: string; address: string }

const readRecipients = ({ storages }: Storage): Recipient[] =>
  [...storages]
    .filter(([name]) => name.startsWith('__recip_version'))
    .map(([, recipient]) => {
      const { getText } = readProperties(recipient)
      const address = getText(PROPERTY.RECIPIENT_SMTP) || getText(PROPERTY.RECIPIENT_ADDRESS)
      return { name: getText(PROPERTY.RECIPIENT_NAME), address: address.includes('@') ? address : '' }
    })

/** Adds addresses to the names of recipients that a message shows, as in `张三; 李四`. */
const addAddresses = (shown: string, recipients: Recipient[]): string =>
  shown
    .split(';')
    .map((part) => part.trim())
    .map((name) => {
      const address = recipients.find((recipient) => recipient.name === name)?.address
      return address && address !== name ? `${name} <${address}>` : name
    })
    .filter(Boolean)
    .join('、')

/** Tags of the times at which a message was sent and delivered, and their type (MS-OXMSG 2.4.2). */
const TIMES = [0x0039_0040, 0x0e06_0040]
const PROPERTIES_HEADER_BYTES = 32
const PROPERTY_BYTES = 16
/** Milliseconds between 1601, where Windows begins to count, and 1970. */
const EPOCH_MS = 11_644_473_600_000n

/** Reads the time of a message from the properties that have a fixed length. */
function readTime({ streams }: Storage): string {
  const bytes = streams.get('__properties_version1.0')?.() ?? Buffer.alloc(0)
  for (const tag of TIMES) {
    for (let at = PROPERTIES_HEADER_BYTES; at + PROPERTY_BYTES <= bytes.length; at += PROPERTY_BYTES) {
      if (bytes.readUInt32LE(at) !== tag) continue
      const ms = Number(bytes.readBigUInt64LE(at + 8) / 10_000n - EPOCH_MS)
      if (ms > 0 && ms < 8.64e15) return new Date(ms).toISOString()
    }
  }
  return ''
}

function readProperties({ streams }: Storage): {
  getText: (id: string) => string
  getBytes: (id: string) => Buffer | undefined
} {
  const get = (id: string, type: string): Buffer | undefined => streams.get(`__substg1.0_${id}${type}`)?.()
  return {
    getText: (id) => {
      const wide = get(id, '001F')
      const text = wide ? decodeUtf16(wide) : decodeText(get(id, '001E') ?? Buffer.alloc(0)).text
      return text.replace(/\0+$/, '')
    },
    getBytes: (id) => get(id, '0102'),
  }
}
