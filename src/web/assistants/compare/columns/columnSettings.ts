import type { ColumnSettings } from '#contract/compare/compare.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'

/** The settings of a column as text in its form; an empty text is not set. */
export type ColumnForm = { system_prompt: string; temperature: string; max_tokens: string }

export const toColumnForm = (settings: ColumnSettings | null): ColumnForm => ({
  system_prompt: settings?.system_prompt ?? '',
  temperature: String(settings?.temperature ?? ''),
  max_tokens: String(settings?.max_tokens ?? ''),
})

/** Error messages for invalid numbers. */
export function validateColumnForm({ temperature, max_tokens }: ColumnForm): Partial<ColumnForm> {
  const [degree, tokens] = [Number(temperature), Number(max_tokens)]
  return {
    ...(degree >= 0 && degree <= 2 ? {} : { temperature: sessionSettingsText.temperatureError }),
    ...(!max_tokens.trim() || (Number.isInteger(tokens) && tokens >= 1 && tokens <= 1_000_000)
      ? {}
      : { max_tokens: sessionSettingsText.maxTokensError }),
  }
}

/** The settings of a valid form; null where all fields are empty. */
export function toColumnSettings({
  system_prompt,
  temperature,
  max_tokens,
}: ColumnForm): ColumnSettings | null {
  const settings = {
    ...(system_prompt.trim() ? { system_prompt } : {}),
    ...(temperature.trim() ? { temperature: Number(temperature) } : {}),
    ...(max_tokens.trim() ? { max_tokens: Number(max_tokens) } : {}),
  }
  return Object.keys(settings).length ? settings : null
}
