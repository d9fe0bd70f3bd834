import { basename } from 'node:path'
import type { Reading } from '#contract/readings.ts'
import { executeJob } from '../../src/server/formats/process/job.ts'
import { DEFAULT_LIMITS } from '../../src/server/formats/process/limits.ts'
import { recognisePng } from '../../src/server/formats/recognition/ocr.ts'
import type { Progress } from '../../src/server/formats/reading/output.ts'

/** Pages without text of one file that OCR reads. */
const MAX_SCANS = 3

// For a broken file pdf.js leaves rejected promises that nobody awaits.
process.on('unhandledRejection', () => {})

/** Reads a file in this process; pages without text are read again, by OCR. `error` is the code of what ended the reading. */
export async function readFile(path: string, article = false): Promise<{ text: string; error?: string }> {
  const texts: string[] = []
  const onProgress = ({ pieces }: Progress): void => void texts.push(...pieces.map(({ text }) => text))
  const read = async (pages?: number[]): Promise<number[]> => {
    const job = {
      source: { path },
      name: basename(path),
      article,
      limits: DEFAULT_LIMITS,
      hasRecogniser: false,
    }
    const result = await executeJob(pages ? { ...job, pages } : job, { onProgress, recognise: recognisePng })
    return (result as Reading).report.blank
  }
  try {
    const blank = await read()
    if (path.endsWith('.pdf') && blank.length) await read(blank.slice(0, MAX_SCANS))
    return { text: texts.join('\n\n') }
  } catch (error) {
    return { text: texts.join('\n\n'), error: (error as { code?: string }).code ?? String(error) }
  }
}
