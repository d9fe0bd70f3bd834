import { ApiError } from '../core/api.ts'
import { toast } from '../ui/toast.ts'

/** Does something and says how it went; null when it failed. `failed` puts words around the server's reason. */
export async function attempt<T>(
  act: () => Promise<T>,
  words: { done?: string; failed: (why: string) => string },
): Promise<T | null> {
  try {
    const result = await act()
    if (words.done) toast.success(words.done)
    return result
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast.error(words.failed(error.message))
    return null
  }
}
