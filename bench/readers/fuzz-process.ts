import { AppError } from '#server/core/app-error.ts'
import { openInput } from '../../src/server/formats/reading/input.ts'
import { DEFAULT_LIMITS } from '../../src/server/formats/process/limits.ts'
import { Output } from '../../src/server/formats/reading/output.ts'
import { readInto } from '../../src/server/formats/read.ts'

export type FuzzJob = { name: string; bytes: Uint8Array }
/** Result of a reading, and the peak memory of this process, bytes. */
export type FuzzResult = { outcome: string; memory: number }

// The same as in the readers' own process.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (job: FuzzJob) => {
  void read(job).then((outcome) => {
    process.send?.({ outcome, memory: process.resourceUsage().maxRSS * 1024 } satisfies FuzzResult)
  })
})

async function read({ name, bytes }: FuzzJob): Promise<string> {
  const output = new Output(DEFAULT_LIMITS, () => {})
  try {
    const input = openInput({ bytes })
    await readInto(output, { input, name, depth: 0, article: false, recognise: async () => '' })
    output.end()
    return 'read'
  } catch (error) {
    // A person is told that the file is damaged; here the parser at fault is of interest.
    return error instanceof AppError ? error.code : `damaged (${(error as Error).name})`
  }
}
