import type { Prompt, PromptFields } from '#contract/prompts.ts'
import { request } from '#web/core/api.ts'
import { findEmpty, useForm } from '#web/core/useForm.ts'
import { promptsText } from '#web/text/prompts.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '#web/ui/Button.tsx'
import { TextareaField, TextField } from '#web/ui/form/fields.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'
import { toast } from '#web/ui/toast.ts'
import { invalidatePrompts } from './queries.ts'

/** Edits one of the person's own prompts; null begins a new one. */
export function PromptForm({ prompt, onClose }: { prompt: Prompt | null; onClose: () => void }) {
  const { title = '', desc = '', text = '' } = prompt ?? {}
  const form = useForm<PromptFields>({ title, desc, text })
  const savePrompt = (body: PromptFields) =>
    prompt
      ? request('PUT /api/chat/prompts/{id}', { params: { id: prompt.id }, body })
      : request('POST /api/chat/prompts', { body })
  const onSubmit = form.handleSubmit(savePrompt, {
    validate: (fields) => findEmpty(fields, ['title', 'text']),
    async onSuccess() {
      toast.success(promptsText.saved)
      await invalidatePrompts()
      onClose()
    },
    onError: (errors) => errors.form && toast.error(errors.form),
  })

  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-3">
      <TextField form={form} name="title" label={promptsText.name} maxLength={40} />
      <TextField form={form} name="desc" label={promptsText.desc} maxLength={100} />
      <TextareaField
        form={form}
        name="text"
        label={promptsText.text}
        hint={promptsText.textHint}
        rows={7}
        className="min-h-40"
        maxLength={8000}
      />
      <footer className="flex justify-end gap-2">
        <Button onClick={onClose}>{uiText.cancel}</Button>
        <SaveButton form={form} />
      </footer>
    </form>
  )
}
