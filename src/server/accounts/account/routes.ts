import type { accountCalls } from '#contract/auth/account.ts'
import type { Auth } from '#server/accounts/auth/auth.ts'
import { toChinaDay } from '#contract/dates/dates.ts'
import { FileStream } from '#server/core/file-stream.ts'
import type { Handlers } from '#server/core/http.ts'
import type { Account } from './account.ts'

export const accountRoutes = (account: Account, auth: Auth): Handlers<typeof accountCalls> => ({
  'GET /api/user/account/export': async (_, { visitor }) => {
    const archive = await account.export(visitor.user_id)
    const name = `wenqu-${toChinaDay(new Date())}.zip`
    return new FileStream(archive, {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${name}"`,
    })
  },

  'POST /api/user/account/delete': async ({ body }, { visitor, request, headers }) => {
    await account.delete(visitor.user_id, body.code, request)
    await auth.signOut(request, headers)
    return { redirect_to: '/' }
  },
})
