import { SHOWN_USER_HEADER } from '#contract/auth/shown-user.ts'
import { drafts } from '#web/conversations/composer/composer.tsx'
import { ApiError, request } from '#web/core/api.ts'
import { shellText } from '#web/text/shell.ts'
import { toast } from '#web/ui/toast.ts'

/** Signs out and follows the server's redirect, or shows why that failed. */
export async function logout(): Promise<void> {
  try {
    // An empty header lets a person sign out whose sign-in has ended.
    const options = { failed: shellText.logoutFailed, headers: { [SHOWN_USER_HEADER]: '' } }
    const { redirect_to } = await request('POST /logout', {}, options)
    drafts.clear()
    // A full page load, so that nothing of the person stays in memory.
    location.assign(redirect_to)
  } catch (error) {
    toast.error(error instanceof ApiError ? error.message : shellText.logoutFailed)
  }
}
