import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { ByteSource } from '../byte-source.ts'
import { StreamedBody } from '../transport/streamed-body.ts'
import type { BodyPart } from '../transport/streamed-body.ts'

/**
 * A form as browsers send it (https://html.spec.whatwg.org/#multipart-form-data), whose files are read while they are sent: a
 * recording is in memory once at most.
 */
export function createFormBody(fields: readonly [name: string, value: string | File][]): {
  content_type: string
  body: StreamedBody
} {
  const boundary = `----form-${randomBytes(16).toString('hex')}`
  const parts = fields.flatMap(([name, value]): BodyPart[] => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"`
    if (typeof value === 'string')
      return [encode(`${head}\r\n\r\n${value.replace(/\r\n|\r|\n/g, '\r\n')}\r\n`)]
    const type = value.type || 'application/octet-stream'
    return [
      encode(`${head}; filename="${escape(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`),
      { source: toSource(value), encoding: 'binary' },
      encode('\r\n'),
    ]
  })
  return {
    content_type: `multipart/form-data; boundary=${boundary}`,
    body: new StreamedBody([...parts, encode(`--${boundary}--\r\n`)]),
  }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Escapes a name, so that it cannot end early. */
const escape = (name: string): string => name.replace(/\n/g, '%0A').replace(/\r/g, '%0D').replace(/"/g, '%22')

function toSource(file: File): ByteSource {
  const open = (): Readable => {
    // Node has two types of web streams, and a file gives the other one.
    const stream: unknown = file.stream()
    return Readable.fromWeb(stream as ReadableStream)
  }
  return new ByteSource({ size: file.size, open })
}
