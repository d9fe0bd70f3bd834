import { sessionSettings } from '#contract/sessions.ts'
import type { SessionSettings } from '#contract/sessions.ts'
import { AppError } from '../../core/app-error.ts'
import type { Db } from '../../core/database.ts'
import { currentSession, sessionById, setCurrent } from '../store.ts'
import type { SessionRow } from '../store.ts'
import { defaultsOf, insertSession, saveDefaults, updateSession } from './store.ts'

type Named = { chatbot: string; sess_id?: string | null | undefined }
type Scope = 'session' | 'user'

/** What a session sets; the product's defaults for what it does not. */
export const settingsOf = (session: Pick<SessionRow, 'settings'> | null): SessionSettings =>
  sessionSettings.parse(session?.settings ?? {})

/** The settings of a session, or those that new ones begin with. Throws AppError not_found. */
export async function readSettings(
  db: Db,
  user_id: string,
  { chatbot, sess_id, scope }: Named & { scope: Scope },
): Promise<SessionSettings> {
  const session = scope === 'session' ? await find(db, user_id, { chatbot, sess_id }) : undefined
  return session ? settingsOf(session) : settingsOf({ settings: (await defaultsOf(db, user_id)) ?? null })
}

/**
 * Keeps settings for a session (the named one, the current one, or a new one), or for those to come. Throws AppError
 * not_found.
 */
export async function saveSettings(
  db: Db,
  user_id: string,
  { scope, chatbot, sess_id, ...settings }: Named & SessionSettings & { scope: Scope },
): Promise<{ settings: SessionSettings; session: SessionRow | null }> {
  if (scope === 'user') {
    await saveDefaults(db, user_id, settings)
    return { settings, session: null }
  }
  return db.transaction(async (tx) => {
    const known = await find(tx, user_id, { chatbot, sess_id })
    if (known) return { settings, session: (await updateSession(tx, user_id, known.id, { settings }))! }
    const session = await insertSession(tx, { user_id, chatbot, title: '', settings })
    await setCurrent(tx, user_id, chatbot, session.id)
    return { settings, session }
  })
}

/** The named session, or the current one if there is one. */
async function find(db: Db, user_id: string, { chatbot, sess_id }: Named): Promise<SessionRow | undefined> {
  if (!sess_id) return currentSession(db, user_id, chatbot)
  const session = await sessionById(db, user_id, sess_id)
  if (!session) throw new AppError('not_found')
  return session
}
