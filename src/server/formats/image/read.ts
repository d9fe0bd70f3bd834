import type { Document } from '../detect-format.ts'
import { readAll } from '../reading/input.ts'
import type { Output } from '../reading/output.ts'
import { toUprightPng } from '../recognition/picture.ts'

/** Reads a photo, a scan or a screenshot by recognition; one within an archive or a mail is only reported. */
export async function readImage({ input, name, depth, recognise }: Document, output: Output): Promise<void> {
  if (depth > 0 || !recognise) return output.skip('picture', name)
  const png = await toUprightPng(readAll(input, output.limits.whole_bytes))
  output.begin('image', 1)
  output.add(await recognise(png, {}))
  output.endUnit({ recognised: true })
}
