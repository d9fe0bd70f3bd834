import { AppError } from '#server/core/app-error.ts'
import type { Storage } from '../containers/cfb.ts'
import type { Document } from '../detect-format.ts'
import type { Output } from '../reading/output.ts'
import { decodeText } from '../text/encoding.ts'
import type { ReadWithin } from '../archive/read.ts'
import { writeMail } from '../mail/read.ts'

/** Properties of a message by their ids (MS-OXPROPS). */
const PROPERTY = {
  SUBJECT: '0037',
  BODY: '1000',
  HTML: '1013',
  SENDER_NAME: '0C1A',
  SENDER_SMTP: '5D01',
  SENDER_ADDRESS: '0C1F',
  TO: '0E04',
  CC: '0E03',
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
  const attachmentStorages = [...storage.storages].filter(([name]) => name.startsWith('__attach_version'))
  await writeMail(
    {
      subject: getText(PROPERTY.SUBJECT),
      fields: [
        [
          '发件人',
          name && address.includes('@') && address !== name ? `${name} <${address}>` : name || address,
        ],
        ['收件人', getText(PROPERTY.TO)],
        ['抄送', getText(PROPERTY.CC)],
      ],
      html: html
        ? decodeText(html, /charset=["']?([\w-]+)/i.exec(html.toString('latin1', 0, 4096))?.[1]).text
        : getText(PROPERTY.HTML),
      text: getText(PROPERTY.BODY),
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

function readProperties({ streams }: Storage): {
  getText: (id: string) => string
  getBytes: (id: string) => Buffer | undefined
} {
  const get = (id: string, type: string): Buffer | undefined => streams.get(`__substg1.0_${id}${type}`)?.()
  return {
    getText: (id) =>
      (get(id, '001F')?.toString('utf16le') ?? decodeText(get(id, '001E') ?? Buffer.alloc(0)).text).replace(
        /\0+$/,
        '',
      ),
    getBytes: (id) => get(id, '0102'),
  }
}
