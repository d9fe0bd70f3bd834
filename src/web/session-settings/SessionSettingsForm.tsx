import { useState, type SyntheticEvent } from 'react'
import type { SessionSettings } from '#contract/conversations/sessions.ts'
import { ApiError } from '#web/core/api.ts'
import { sessionSettingsText as text } from '#web/text/sessionSettings.ts'
import { Button } from '#web/ui/Button.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { Textarea } from '#web/ui/form/Textarea.tsx'
import { toast } from '#web/ui/toast.ts'
import { MAX_SYSTEM_PROMPT_CHARS } from '#web/conversations/conversations.ts'
import {
  toFormValues,
  isValidSettings,
  parseForm,
  updateSettings,
  type SettingsScope,
  type SettingsErrors,
  type SettingsFormValues,
} from './settings.ts'

type Props = {
  id: string
  initial: SessionSettings
  onSession: (sess_id: string) => void
  onClose: () => void
}

/** The fields of a conversation's settings; what is wrong is said beside each. */
export function SessionSettingsForm({ id, initial, onSession, onClose }: Props) {
  const [values, setValues] = useState(() => toFormValues(initial))
  const [scope, setScope] = useState<SettingsScope>('session')
  const [errors, setErrors] = useState<SettingsErrors>({})
  const [pending, setPending] = useState(false)
  const set = (change: Partial<SettingsFormValues>) => setValues((now) => ({ ...now, ...change }))

  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    const result = parseForm(values)
    if (!isValidSettings(result)) return setErrors(result)
    setErrors({})
    setPending(true)
    try {
      await updateSettings(id, scope, result, onSession)
      toast.success(text.saved)
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setErrors(error.errors)
      toast.error(error.status > 0 ? error.message : text.saveFailed)
      setPending(false)
    }
  }

  return (
    <form noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-3">
      <FormField label={text.systemPrompt} hint={text.systemPromptHint} error={errors.system_prompt}>
        {(field) => (
          <Textarea
            {...field}
            rows={4}
            maxLength={MAX_SYSTEM_PROMPT_CHARS}
            value={values.system_prompt}
            onChange={({ target }) => set({ system_prompt: target.value })}
          />
        )}
      </FormField>
      <div className="grid gap-3 sm:grid-cols-2">
        <FormField label={text.temperature} hint={text.temperatureHint} error={errors.temperature}>
          {(field) => (
            <Input
              {...field}
              inputMode="decimal"
              value={values.temperature}
              onChange={({ target }) => set({ temperature: target.value })}
            />
          )}
        </FormField>
        <FormField label={text.maxTokens} hint={text.maxTokensHint} error={errors.max_tokens}>
          {(field) => (
            <Input
              {...field}
              inputMode="numeric"
              value={values.max_tokens}
              onChange={({ target }) => set({ max_tokens: target.value })}
            />
          )}
        </FormField>
      </div>
      <label className="flex min-h-9 items-start gap-2.5 py-1 max-md:min-h-11">
        <input
          type="checkbox"
          checked={values.stream}
          onChange={({ target }) => set({ stream: target.checked })}
          className="mt-1 size-4 accent-accent"
        />
        <span>
          <span className="block text-note font-medium">{text.stream}</span>
          <span className="block text-note text-ink3">{text.streamHint}</span>
        </span>
      </label>
      <FormField label={text.scope}>
        {(field) => (
          <Select
            {...field}
            value={scope}
            onChange={({ target }) => setScope(target.value === 'user' ? 'user' : 'session')}
          >
            <option value="session">{text.scopes.session}</option>
            <option value="user">{text.scopes.user}</option>
          </Select>
        )}
      </FormField>
      <div className="flex justify-end">
        <Button type="submit" variant="primary" pending={pending}>
          {text.save}
        </Button>
      </div>
    </form>
  )
}
