import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

type Options = {
  /** Count of the bytes. */
  size: number
  /** Opens them. The stream may already have been destroyed by its maker; a reader that leaves early destroys it. */
  open: () => Promise<Readable> | Readable
}

/** Bytes that a request names but does not hold: they are read while they are sent, anew for each platform that is called. */
export class ByteSource {
  readonly size: number
  readonly open: Options['open']
  /** Stands for the bytes in a JSON text until that is sent. It is never revealed, so nobody can write it into a prompt. */
  readonly placeholder = randomBytes(16).toString('hex')

  constructor({ size, open }: Options) {
    this.size = size
    this.open = open
  }

  /** Bytes in memory, which are spared a copy in base64. */
  static of(bytes: Uint8Array): ByteSource {
    return new ByteSource({ size: bytes.byteLength, open: () => Readable.from([bytes]) })
  }
}
