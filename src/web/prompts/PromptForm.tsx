import { type SyntheticEvent, useState } from 'react'
import type { Prompt, PromptFields } from '#contract/prompts.ts'
import { ApiError, request } from '../core/api.ts'
import { promptsText } from '../text/prompts.ts'
import { Button } from '../ui/Button.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { Textarea } from '#web/ui/form/Textarea.tsx'
import { toast } from '../ui/toast.ts'
import { invalidatePrompts } from './queries.ts'

const savePrompt = (prompt: Prompt | null, body: PromptFields) =>
  prompt
    ? request('PUT /api/chat/prompts/{id}', { params: { id: prompt.id }, body })
    : request('POST /api/chat/prompts', { body })

/** Writes one of a person's own prompts; null begins a new one. */
export function PromptForm({ prompt, onClose }: { prompt: Prompt | null; onClose: () => void }) {
  const { title = '', desc = '', text = '' } = prompt ?? {}
  const [fields, setFields] = useState<PromptFields>({ title, desc, text })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [pending, setPending] = useState(false)
  const set = (change: Partial<PromptFields>) => setFields({ ...fields, ...change })

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setPending(true)
    try {
      await savePrompt(prompt, fields)
      toast.success(promptsText.saved)
      await invalidatePrompts()
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setErrors(error.errors)
      if (!Object.keys(error.errors).length) toast.error(error.message)
      setPending(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      <FormField label={promptsText.name} error={errors.title}>
        {(field) => (
          <Input
            {...field}
            maxLength={40}
            value={fields.title}
            onChange={(event) => set({ title: event.target.value })}
          />
        )}
      </FormField>
      <FormField label={promptsText.desc} error={errors.desc}>
        {(field) => (
          <Input
            {...field}
            maxLength={100}
            value={fields.desc}
            onChange={(event) => set({ desc: event.target.value })}
          />
        )}
      </FormField>
      <FormField label={promptsText.text} hint={promptsText.textHint} error={errors.text}>
        {(field) => (
          <Textarea
            {...field}
            rows={7}
            className="min-h-40"
            maxLength={8000}
            value={fields.text}
            onChange={(event) => set({ text: event.target.value })}
          />
        )}
      </FormField>
      <footer className="flex justify-end gap-2">
        <Button onClick={onClose}>{promptsText.cancel}</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {promptsText.save}
        </Button>
      </footer>
    </form>
  )
}
