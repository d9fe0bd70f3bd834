import { uiText } from '#web/text/ui.ts'
import { toast } from './toast.ts'

/** How long a copy is confirmed (specification section 9). */
export const COPIED_MS = 1000

/**
 * Copies a text, with `html` for programs that import tables. Returns true on success. Browsers refuse on plain HTTP beyond
 * localhost. Only a failure is shown to the person.
 */
export async function writeClipboard(text: string, html?: string): Promise<boolean> {
  // The types say that it always exists, but over plain HTTP it does not.
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) {
    toast.error(uiText.copyUnsupported)
    return false
  }
  try {
    if (html === undefined) await clipboard.writeText(text)
    else await clipboard.write([new ClipboardItem({ 'text/plain': text, 'text/html': html })])
    return true
  } catch {
    toast.error(uiText.copyFailed)
    return false
  }
}

/** Copies, and shows the result. */
export async function copyText(text: string): Promise<void> {
  if (await writeClipboard(text)) toast.success(uiText.copied, COPIED_MS)
}
