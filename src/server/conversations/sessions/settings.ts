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

/** Parses the settings of a session; missing ones have the product's defaults. */
export const parseSettings = (session: Pick<SessionRow, 'settings'> | null): SessionSettings =>
  sessionSettings.parse(session?.settings ?? {})

/** Returns the settings of a person's new sessions. */
export const getDefaultSettings = async (db: Db, userId: string): Promise<SessionSettings> =>
  parseSettings({ settings: (await findDefaultSettings(db, userId)) ?? null })

/** Absent settings keep their values. */
type SettingsChange = SessionRef & { scope: SettingsScope } & SettingsChanges

/**
 * Changes settings of a session (the named one, the current one, or a new one), or of new sessions. Throws AppError not_found.
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
