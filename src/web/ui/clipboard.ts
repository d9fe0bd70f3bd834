import { uiText } from '#web/text/ui.ts'
import { toast } from './toast.ts'

/** How long a copy is confirmed (specification section 9). */
export const COPIED_MS = 1000

/**
 * Puts a text on the clipboard, with `html` for programs that take tables over; true when it is there. Browsers refuse
 * on plain HTTP beyond localhost: a failure is told the person, a success is not.
 */
export async function writeClipboard(text: string, html?: string): Promise<boolean> {
  // The types say that it is always there; over plain HTTP it is not.
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

/** Copies, and says how it went. */
export async function copyText(text: string): Promise<void> {
  if (await writeClipboard(text)) toast.success(uiText.copied, COPIED_MS)
}
