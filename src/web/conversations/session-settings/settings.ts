import type { SessionSettings } from '#contract/conversations/sessions.ts'
import { request } from '#web/core/api.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { notifySessionChange, attachSession, isLocalConversation } from '#web/conversations/conversations.ts'

export type SettingsScope = 'session' | 'user'
/** The form's values, with numbers as typed. */
export type SettingsFormValues = {
  system_prompt: string
  temperature: string
  max_tokens: string
  stream: boolean
  scope: SettingsScope
}
export type SettingsErrors = Partial<Record<keyof SettingsFormValues, string>>

/** Loads a conversation's settings; for a draft, those that it would start with. */
export async function getSettings(id: string): Promise<SessionSettings> {
  const query = isLocalConversation(id) ? ({ scope: 'user' } as const) : { sess_id: id }
  return (await request('GET /api/chat/session/settings', { query })).settings
}

/** Saves settings. A draft gets its session by that, and `onSession` its id. */
export async function updateSettings(
  id: string,
  scope: SettingsScope,
  settings: SessionSettings,
  onSession: (sessId: string) => void,
): Promise<void> {
  if (scope === 'user') {
    await request(
      'POST /api/chat/session/settings',
      { body: { ...settings, scope } },
      { failed: sessionSettingsText.saveFailed },
    )
    return
  }
  let sessId = id
  if (isLocalConversation(id)) {
    sessId = (
      await request('POST /api/chat/session/new', { body: {} }, { failed: sessionSettingsText.saveFailed })
    ).session.id
    attachSession(id, sessId)
    onSession(sessId)
  }
  await request(
    'POST /api/chat/session/settings',
    { body: { ...settings, sess_id: sessId, scope } },
    { failed: sessionSettingsText.saveFailed },
  )
  notifySessionChange(sessId)
}

export const toFormValues = ({ temperature, max_tokens, ...rest }: SessionSettings): SettingsFormValues => ({
  ...rest,
  temperature: temperature === null ? '' : String(temperature),
  max_tokens: String(max_tokens),
  scope: 'session',
})

/** Returns the errors in the form's numbers. */
export function validateForm({ temperature, max_tokens }: SettingsFormValues): SettingsErrors {
  const [temperatureValue, maxTokens] = [Number(temperature), Number(max_tokens)]
  return {
    ...(temperatureValue >= 0 && temperatureValue <= 2
      ? {}
      : { temperature: sessionSettingsText.temperatureError }),
    ...(Number.isInteger(maxTokens) && maxTokens >= 1 && maxTokens <= 1_000_000
      ? {}
      : { max_tokens: sessionSettingsText.maxTokensError }),
  }
}

/** Converts the values of a valid form. */
export const toSettings = ({ temperature, max_tokens, system_prompt, stream }: SettingsFormValues) => ({
  system_prompt,
  stream,
  temperature: temperature.trim() ? Number(temperature) : null,
  max_tokens: Number(max_tokens),
})
