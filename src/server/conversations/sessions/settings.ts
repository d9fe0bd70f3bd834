import { sessionSettings } from '#contract/conversations/sessions.ts'
import type { SessionSettings } from '#contract/conversations/sessions.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import {
  findCurrentSession,
  findDefaultSettings,
  findSession,
  insertSession,
  saveDefaultSettings,
  setCurrentSession,
  updateSession,
} from './store.ts'
import type { SessionRow } from './store.ts'

type SessionRef = { chatbot: string; sess_id?: string | null | undefined }
type SettingsScope = 'session' | 'user'

/** What a session sets; the product's defaults for what it does not. */
export const parseSettings = (session: Pick<SessionRow, 'settings'> | null): SessionSettings =>
  sessionSettings.parse(session?.settings ?? {})

/** The settings of a session, or those that new ones begin with. Throws AppError not_found. */
export async function getSettings(
  db: Db,
  user_id: string,
  { chatbot, sess_id, scope }: SessionRef & { scope: SettingsScope },
): Promise<SessionSettings> {
  const session =
    scope === 'session' ? await findReferencedSession(db, user_id, { chatbot, sess_id }) : undefined
  return session
    ? parseSettings(session)
    : parseSettings({ settings: (await findDefaultSettings(db, user_id)) ?? null })
}

/**
 * Keeps settings for a session (the named one, the current one, or a new one), or for those to come. Throws AppError
 * not_found.
 */
export async function saveSettings(
  db: Db,
  user_id: string,
  { scope, chatbot, sess_id, ...settings }: SessionRef & SessionSettings & { scope: SettingsScope },
): Promise<{ settings: SessionSettings; session: SessionRow | null }> {
  if (scope === 'user') {
    await saveDefaultSettings(db, user_id, settings)
    return { settings, session: null }
  }
  return db.transaction(async (tx) => {
    const existing = await findReferencedSession(tx, user_id, { chatbot, sess_id })
    if (existing) return { settings, session: (await updateSession(tx, user_id, existing.id, { settings }))! }
    const session = await insertSession(tx, { user_id, chatbot, title: '', settings })
    await setCurrentSession(tx, user_id, chatbot, session.id)
    return { settings, session }
  })
}

/** The named session, or the current one if there is one. */
async function findReferencedSession(
  db: Db,
  user_id: string,
  { chatbot, sess_id }: SessionRef,
): Promise<SessionRow | undefined> {
  if (!sess_id) return findCurrentSession(db, user_id, chatbot)
  const session = await findSession(db, user_id, sess_id)
  if (!session) throw new AppError('not_found')
  return session
}
