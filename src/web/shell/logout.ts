import { SHOWN_USER_HEADER } from '#contract/auth/shown-user.ts'
import { drafts } from '#web/composer/composer.tsx'
import { ApiError, request } from '#web/core/api.ts'
import { shellText } from '#web/text/shell.ts'
import { toast } from '#web/ui/toast.ts'

/** Signs out and goes on to where the server says; a failure is told. */
export async function logout(): Promise<void> {
  try {
    // Also of who is signed in no more.
    const options = { failed: shellText.logoutFailed, headers: { [SHOWN_USER_HEADER]: '' } }
    const { redirect_to } = await request('POST /logout', {}, options)
    drafts.clear()
    // A full visit, so that nothing of the person stays in memory.
    location.assign(redirect_to)
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : shellText.logoutFailed)
  }
}
