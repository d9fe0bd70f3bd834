import type { ColumnSettings } from '#contract/compare/compare.ts'
import { useForm } from '#web/core/useForm.ts'
import { MAX_SYSTEM_PROMPT_CHARS } from '#web/conversations/conversations.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { sessionSettingsText } from '#web/text/sessionSettings.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextareaField, TextField } from '#web/ui/form/fields.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'
import { toColumnForm, toColumnSettings, validateColumnForm } from './columnSettings.ts'

type Props = {
  name: string
  settings: ColumnSettings | null
  onSave: (settings: ColumnSettings | null) => Promise<void>
  onClose: () => void
}

/** Settings of one column; an empty field follows the settings of the comparison. */
export default function ColumnSettingsDialog({ name, settings, onSave, onClose }: Props) {
  const form = useForm(toColumnForm(settings))
  const onSubmit = form.handleSubmit((values) => onSave(toColumnSettings(values)), {
    validate: validateColumnForm,
    onSuccess: onClose,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${compareText.settings} · ${name}`}
      description={compareText.settingsHint}
    >
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
        <TextareaField
          form={form}
          name="system_prompt"
          label={sessionSettingsText.systemPrompt}
          rows={4}
          maxLength={MAX_SYSTEM_PROMPT_CHARS}
          className="min-h-24"
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            form={form}
            name="temperature"
            label={sessionSettingsText.temperature}
            hint={sessionSettingsText.temperatureHint}
            inputMode="decimal"
          />
          <TextField
            form={form}
            name="max_tokens"
            label={sessionSettingsText.maxTokens}
            hint={compareText.maxTokensHint}
            inputMode="numeric"
          />
        </div>
        <div className="flex justify-end">
          <SaveButton form={form} />
        </div>
      </form>
    </Dialog>
  )
}
