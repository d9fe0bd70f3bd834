import type { SessionSettings } from '#contract/conversations/sessions.ts'
import { ApiError } from '#web/core/api.ts'
import { toFieldErrors, useForm } from '#web/core/useForm.ts'
import { sessionSettingsText as text } from '#web/text/sessionSettings.ts'
import { SelectField, TextareaField, TextField } from '#web/ui/form/fields.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'
import { toast } from '#web/ui/toast.ts'
import { MAX_SYSTEM_PROMPT_CHARS } from '#web/conversations/conversations.ts'
import { toFormValues, toSettings, updateSettings, validateForm } from './settings.ts'

type Props = {
  id: string
  initial: SessionSettings
  onSession: (sessId: string) => void
  onClose: () => void
}

const scopeOptions = [
  { value: 'session', label: text.scopes.session },
  { value: 'user', label: text.scopes.user },
]

/** Edits a conversation's settings; each error is shown beside its field. */
export function SessionSettingsForm({ id, initial, onSession, onClose }: Props) {
  const form = useForm(toFormValues(initial))
  const onSubmit = form.handleSubmit(
    (values) => updateSettings(id, values.scope, toSettings(values), onSession),
    {
      validate: validateForm,
      toErrors(error) {
        const errors = toFieldErrors(error)
        toast.error(error instanceof ApiError ? error.message : text.saveFailed)
        return errors
      },
      onSuccess() {
        toast.success(text.saved)
        onClose()
      },
    },
  )

  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
      <TextareaField
        form={form}
        name="system_prompt"
        label={text.systemPrompt}
        hint={text.systemPromptHint}
        rows={4}
        maxLength={MAX_SYSTEM_PROMPT_CHARS}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          form={form}
          name="temperature"
          label={text.temperature}
          hint={text.temperatureHint}
          inputMode="decimal"
        />
        <TextField
          form={form}
          name="max_tokens"
          label={text.maxTokens}
          hint={text.maxTokensHint}
          inputMode="numeric"
        />
      </div>
      <label className="flex min-h-9 items-start gap-2.5 py-1 max-md:min-h-11">
        <input
          type="checkbox"
          checked={form.data.stream}
          onChange={({ target }) => form.setData({ stream: target.checked })}
          className="mt-1 size-4 accent-accent"
        />
        <span>
          <span className="block text-note font-medium">{text.stream}</span>
          <span className="block text-note text-ink3">{text.streamHint}</span>
        </span>
      </label>
      <SelectField form={form} name="scope" label={text.scope} options={scopeOptions} />
      <div className="flex justify-end">
        <SaveButton form={form} />
      </div>
    </form>
  )
}
