import { sharesText } from '#web/text/shares.ts'
import { COPIED_MS, writeClipboard } from './clipboard.ts'
import { toast } from './toast.ts'

/** Copies a link to pass on, with or without words around it, and shows the result. */
export async function copyLink(link: string): Promise<void> {
  if (await writeClipboard(link)) toast.success(sharesText.copied, COPIED_MS)
}
