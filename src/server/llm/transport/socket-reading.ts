import { Socket } from 'node:net'

/** Receives the data of one chunk; returns false when it wants no more. */
type TakeChunk = (bytes: Buffer) => boolean
type ReadSocket = Socket & {
  /** Set while undici's parser has read all chunks so far to their end: a chunk that comes whole needs no parser. */
  takeChunk?: TakeChunk | null
}

/**
 * Reads sockets of upstreams (net.connect's `onread`) into this one buffer; the bytes are copied out of it before anything else
 * can be read. Node's own way allocates 64 kB for each read of a few hundred bytes, which costs more than the copy. undici takes
 * the copy at once where it can (`readAtOnce`), without the stream's buffer and a turn of the tick queue between.
 */
export const READ = {
  buffer: Buffer.allocUnsafeSlow(65_536),
  callback(this: ReadSocket, size: number): boolean {
    if (this.takeChunk) {
      const start = findChunkData(READ.buffer, size)
      if (start > 0) {
        if (!this.takeChunk(copy(start, size - LINE_END.length))) this.takeChunk = null
        return true
      }
      this.takeChunk = null
    }
    const bytes = copy(0, size)
    // Earlier bytes are read first.
    if (this.readableLength > 0) return this.push(bytes)
    if (this.read !== readAtOnce) this.read = readAtOnce
    arrival = { socket: this, bytes, is_read: false }
    this.emit('readable')
    const { is_read } = arrival
    arrival = null
    return is_read || this.push(bytes)
  },
}

/** Bytes that a socket has just received, while undici is told to read them. */
let arrival: { socket: ReadSocket; bytes: Buffer; is_read: boolean } | null = null

/** Replaces a socket's `read`: a reader gets the bytes that have just come while their arrival is announced. */
function readAtOnce(this: Socket, size?: number): Buffer | null {
  // A buffer that is not empty means that undici has put something back.
  if (arrival?.socket !== this || this.readableLength > 0)
    return Socket.prototype.read.call(this, size) as Buffer | null
  if (arrival.is_read) return null
  arrival.is_read = true
  return arrival.bytes
}

function copy(start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start)
  READ.buffer.copy(bytes, 0, start, end)
  return bytes
}

/**
 * Call it with the bytes of a body that undici has read. If those were one whole chunk, undici is between two chunks: the
 * following chunks, each alone and whole, go to `take` instead of undici, until something else comes.
 */
export function takeChunks(data: Buffer, take: TakeChunk): void {
  if (!arrival) return
  const { socket, bytes } = arrival
  const start = findChunkData(bytes, bytes.length)
  const isWholeChunk =
    start > 0 &&
    data.buffer === bytes.buffer &&
    data.byteOffset === bytes.byteOffset + start &&
    data.length === bytes.length - start - LINE_END.length
  if (isWholeChunk) socket.takeChunk = take
}

const LINE_END = '\r\n'
const [CR, LF] = [0x0d, 0x0a]
/** Hexadecimal digits of a chunk's length, which is at most 16 MB less one. */
const MAX_DIGITS = 6

/** Offset of the data in bytes that are exactly one whole chunk (RFC 9112, section 7.1); -1 for others. */
function findChunkData(bytes: Buffer, size: number): number {
  let length = 0
  let at = 0
  for (; at < MAX_DIGITS; at++) {
    const digit = toHexDigit(bytes[at]!)
    if (digit < 0) break
    length = length * 16 + digit
  }
  const start = at + LINE_END.length
  const isWhole = length > 0 && size === start + length + LINE_END.length
  return isWhole && isLineEnd(bytes, at) && isLineEnd(bytes, start + length) ? start : -1
}

const isLineEnd = (bytes: Buffer, at: number): boolean => bytes[at] === CR && bytes[at + 1] === LF

function toHexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
