import { ApiError } from '#web/core/api.ts'
import { toast } from './toast.ts'

/** Runs an action and shows its outcome; returns null on failure. `failed` wraps the server's reason. */
export async function withToast<T>(
  run: () => Promise<T>,
  words: { done?: string; failed?: (why: string) => string } = {},
): Promise<T | null> {
  try {
    const result = await run()
    if (words.done) toast.success(words.done)
    return result
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast.error(words.failed?.(error.message) ?? error.message)
    return null
  }
}
