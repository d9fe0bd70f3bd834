import { Readable } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { strToU8, Zip, ZipDeflate } from 'fflate'

/** A file of an archive, with its content in parts. */
export type ArchiveFile = { name: string; content: AsyncIterable<string> }

/** Creates a ZIP archive of files that are read one after the other, at the speed of the stream's consumer. */
export const createArchiveStream = (files: AsyncIterable<ArchiveFile>): Readable =>
  Readable.from(writeArchive(files), { objectMode: false })

async function* writeArchive(
  files: AsyncIterable<ArchiveFile>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const archive = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(new Uint8Array(chunk))
  })
  for await (const { name, content } of files) {
    const file = new ZipDeflate(name, { level: 6 })
    archive.add(file)
    for await (const part of content) {
      file.push(strToU8(part))
      yield* chunks.splice(0)
      await yieldToOthers()
    }
    file.push(new Uint8Array(), true)
    yield* chunks.splice(0)
  }
  archive.end()
  yield* chunks.splice(0)
}
