import { uploadMessages } from '#contract/uploads.ts'
import { toast } from '#web/ui/toast.ts'
import { withToast } from '#web/ui/withToast.ts'
import { isBusy, useUploads } from './uploadStore.ts'

/** Adds a web page by `add`, unless another task is running. Reports a failure to the person and returns null. */
export async function embedLink<T>(add: () => Promise<T>): Promise<T | null> {
  if (isBusy()) {
    toast.error(uploadMessages.unfinished)
    return null
  }
  useUploads.setState({ isLinking: true })
  try {
    return await withToast(add)
  } finally {
    useUploads.setState({ isLinking: false })
  }
}
