import type { SessionSettings } from '#contract/sessions.ts'
import { request } from '../core/api.ts'
import { sessionSettingsText } from '../text/sessionSettings.ts'
import { announce } from './changes.ts'
import { adopt, isDraft } from './conversation.ts'

export type Scope = 'session' | 'user'
/** The settings as the form holds them: numbers as they are typed. */
export type SettingsForm = {
  system_prompt: string
  temperature: string
  max_tokens: string
  stream: boolean
}
export type SettingsErrors = Partial<Record<keyof SettingsForm, string>>

/** The settings of a conversation; of one that has not begun, those that it would begin with. */
export async function readSettings(id: string): Promise<SessionSettings> {
  const query = isDraft(id) ? ({ scope: 'user' } as const) : { sess_id: id }
  return (await request('GET /api/chat/session/settings', { query })).settings
}

/** Saves settings; a conversation that has not begun is given its session for it, and `onSession` its id. */
export async function saveSettings(
  id: string,
  scope: Scope,
  settings: SessionSettings,
  onSession: (sess_id: string) => void,
): Promise<void> {
  if (scope === 'user') {
    await request('POST /api/chat/session/settings', { body: { ...settings, scope } })
    return
  }
  let sess_id = id
  if (isDraft(id)) {
    sess_id = (await request('POST /api/chat/session/new', { body: {} })).session.id
    adopt(id, sess_id)
    onSession(sess_id)
  }
  await request('POST /api/chat/session/settings', { body: { ...settings, sess_id, scope } })
  announce(sess_id)
}

export const formOf = ({ temperature, max_tokens, ...rest }: SessionSettings): SettingsForm => ({
  ...rest,
  temperature: temperature === null ? '' : String(temperature),
  max_tokens: String(max_tokens),
})

/** What the form says, or what is wrong with it by field. */
export function readForm({
  temperature,
  max_tokens,
  ...rest
}: SettingsForm): SessionSettings | SettingsErrors {
  const [warmth, most] = [Number(temperature), Number(max_tokens)]
  const errors = {
    ...(warmth >= 0 && warmth <= 2 ? {} : { temperature: sessionSettingsText.temperatureError }),
    ...(Number.isInteger(most) && most >= 1 && most <= 1_000_000
      ? {}
      : { max_tokens: sessionSettingsText.maxTokensError }),
  }
  if (Object.keys(errors).length) return errors
  return { ...rest, temperature: temperature.trim() ? warmth : null, max_tokens: most }
}

export const isSound = (read: SessionSettings | SettingsErrors): read is SessionSettings =>
  typeof read.max_tokens === 'number'
