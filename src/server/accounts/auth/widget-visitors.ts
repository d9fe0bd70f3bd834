import { WIDGET_HEADER, WIDGET_TOKEN_HEADER } from '#contract/agents/widget-visitor.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Visitor, VisitorResolver } from '#server/core/http.ts'
import { createRateLimit } from '#server/core/rate-limit.ts'
import type { RateLimit } from '#server/core/rate-limit.ts'
import { createToken, hashToken } from '#server/core/secrets.ts'
import type { Users } from '#server/accounts/users/users.ts'
import type { createSessionWatch } from './session-watch.ts'
import { findAuthSession, insertAuthSession, renewAuthSession } from './store.ts'

/** Returns the chatbot of an agent's widget, and the account that pays for it. Throws AppError widget_unavailable. */
export type RequireWidget = (
  agent: string,
) => Promise<Pick<Visitor, 'account_id' | 'budgets'> & Required<Pick<Visitor, 'chatbot'>>>

type Options = {
  db: Db
  users: Users
  requireWidget: RequireWidget
  /** Days after which an absent visitor is forgotten. */
  days: number
  /** Limit of new visitors from one address. */
  limit: RateLimit
  watch: ReturnType<typeof createSessionWatch>
}

const HEADER = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?: ([\w-]{43}))?$/

/** Throws AppError widget_unavailable if the header names no agent. */
function readHeader(request: Request): { agent: string; token: string | null } {
  const [, agent, token = null] = HEADER.exec(request.headers.get(WIDGET_HEADER) ?? '') ?? []
  if (agent === undefined) throw new AppError('widget_unavailable')
  return { agent, token }
}

/**
 * Identifies visitors of an agent's widget by a token that the frame keeps and sends as a header. Cookies are neither read nor
 * set, so that a signed-in person is nobody in the frame of a foreign site.
 */
export function createWidgetResolver({
  db,
  users,
  requireWidget,
  days,
  limit,
  watch,
}: Options): VisitorResolver {
  const limitVisitors = createRateLimit(limit)
  return {
    async resolveVisitor(request) {
      const { agent, token } = readHeader(request)
      const widget = await requireWidget(agent)
      const session = token && (await findAuthSession(db, hashToken(token), widget.chatbot))
      if (!session) return null
      if (session.stale) await renewAuthSession(db, hashToken(token), days)
      return { user_id: session.user_id, guest: false, ...widget }
    },

    async createGuest(headers, client, request) {
      const widget = await requireWidget(readHeader(request).agent)
      await limitVisitors(client)
      const token = createToken()
      const { user_id } = await users.createGuest()
      await insertAuthSession(db, hashToken(token), user_id, days, { chatbot: widget.chatbot })
      headers.append(WIDGET_TOKEN_HEADER, token)
      return { user_id, guest: false, ...widget }
    },

    watchSession: (request) => watch.add(hashToken(readHeader(request).token ?? '')),
  }
}
