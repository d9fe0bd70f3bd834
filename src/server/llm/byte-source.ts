import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

type Options = {
  /** How many bytes there are. */
  size: number
  /** Opens them. The stream may have been destroyed by its maker already; whoever reads it destroys it where they leave early. */
  open: () => Promise<Readable> | Readable
}

/** Bytes that a request names and does not hold: they are read while they are sent, anew for each platform that is asked. */
export class ByteSource {
  readonly size: number
  readonly open: Options['open']
  /** Stands for the bytes in a JSON text until that is sent. Nobody can write it into a prompt, since nobody is told. */
  readonly placeholder = randomBytes(16).toString('hex')

  constructor({ size, open }: Options) {
    this.size = size
    this.open = open
  }

  /** Bytes that are in memory, which are spared a copy in base64. */
  static of(bytes: Uint8Array): ByteSource {
    return new ByteSource({ size: bytes.byteLength, open: () => Readable.from([bytes]) })
  }
}
