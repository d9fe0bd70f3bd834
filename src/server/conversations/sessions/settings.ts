import { DATI } from '#contract/chatbot.ts'
import { sessionSettings } from '#contract/conversations/sessions.ts'
import type { SessionSettings } from '#contract/conversations/sessions.ts'
import type { Db } from '#server/core/database/database.ts'
import {
  findDefaultSettings,
  findReferencedSession,
  insertCurrentSession,
  updateDefaultSettings,
  updateSessionSettings,
} from './store.ts'
import type { SessionRef, SessionRow, SettingsChanges } from './store.ts'

export type SettingsScope = 'session' | 'user'

/** What a session sets; the product's defaults for what it does not. */
export const parseSettings = (session: Pick<SessionRow, 'settings'> | null): SessionSettings =>
  sessionSettings.parse(session?.settings ?? {})

/** The settings that a person's new sessions begin with. */
export const getDefaultSettings = async (db: Db, userId: string): Promise<SessionSettings> =>
  parseSettings({ settings: (await findDefaultSettings(db, userId)) ?? null })

/** Settings that are left out stay as they are. */
type SettingsChange = SessionRef & { scope: SettingsScope } & SettingsChanges

/**
 * Changes settings of a session (the named one, the current one, or a new one), or of those to come. Throws AppError
 * not_found.
 */
export async function saveSettings(
  db: Db,
  userId: string,
  { scope, chatbot, sess_id, ...changes }: SettingsChange,
): Promise<{ settings: SessionSettings; session: SessionRow | null }> {
  if (scope === 'user') {
    const settings = await updateDefaultSettings(db, userId, changes)
    return { settings: parseSettings({ settings }), session: null }
  }
  const session = await db.transaction(async (tx) => {
    const existing = await findReferencedSession(tx, userId, { chatbot, sess_id })
    const { id } = existing ?? (await insertCurrentSession(tx, userId, chatbot ?? DATI))
    return (await updateSessionSettings(tx, userId, id, changes))!
  })
  return { settings: parseSettings(session), session }
}
