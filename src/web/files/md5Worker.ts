import { createMD5 } from 'hash-wasm'

/** Messages of the worker: progress (0 to 1), the MD5, or that the file cannot be read. */
export type Md5Message = { share: number } | { md5: string } | { failed: true }

const post = (message: Md5Message) => postMessage(message)

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  hash(file).catch(() => post({ failed: true }))
})

/** Reads the file in pieces, so that little of a large file is in memory. */
async function hash(file: File): Promise<void> {
  const md5 = await createMD5()
  md5.init()
  const reader = file.stream().getReader()
  let hashedBytes = 0
  let percent = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    md5.update(next.value)
    hashedBytes += next.value.length
    const now = Math.floor((hashedBytes / file.size) * 100)
    if (now > percent) post({ share: hashedBytes / file.size })
    percent = now
  }
  post({ md5: md5.digest('hex') })
}
