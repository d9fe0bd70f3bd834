import { sharesText } from '#web/text/shares.ts'
import { COPIED_MS } from '#web/ui/clipboard.ts'
import { toast } from '#web/ui/toast.ts'

/** Copies a link to pass on, with or without words around it, and reports the result in the specification's words. */
export async function copyLink(url: string): Promise<void> {
  // Browsers have no clipboard on plain HTTP beyond localhost.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return toast.error(sharesText.copyUnsupported)
  try {
    await clipboard.writeText(url)
    toast.success(sharesText.copied, COPIED_MS)
  } catch {
    toast.error(sharesText.copyFailed)
  }
}
