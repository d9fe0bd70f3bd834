import { uiText } from '../text/ui.ts'
import { toast } from './toast.ts'

/** Copies, and says how it went. Browsers refuse on plain HTTP beyond localhost. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(uiText.copied)
  } catch {
    toast.error(uiText.copyFailed)
  }
}
