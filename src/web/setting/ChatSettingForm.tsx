import { type SyntheticEvent, useState } from 'react'
import type { ChatSetting } from '#contract/users.ts'
import { ApiError } from '../core/api.ts'
import { settingText } from '../text/setting.ts'
import { Button } from '../ui/Button.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Textarea } from '#web/ui/form/Textarea.tsx'
import { toast } from '../ui/toast.ts'
import { saveChatSetting } from './chatSetting.ts'

/** The longest text that the server takes, characters. */
const MAX_CHARS = 2_000

const fields = [
  {
    name: 'self_intro',
    label: settingText.self_intro,
    hint: settingText.introHint,
    example: settingText.introExample,
  },
  {
    name: 'reply_style',
    label: settingText.reply_style,
    hint: settingText.styleHint,
    example: settingText.styleExample,
  },
] as const

/** What every conversation of the person may know from the start. */
export function ChatSettingForm({ initial }: { initial: ChatSetting }) {
  const [setting, setSetting] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [pending, setPending] = useState(false)
  const updateSetting = (change: Partial<ChatSetting>) => setSetting({ ...setting, ...change })

  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setPending(true)
    setErrors({})
    try {
      setSetting(await saveChatSetting(setting))
      toast.success(settingText.saved)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setErrors(error.errors)
      if (!Object.keys(error.errors).length) toast.error(error.message)
    }
    setPending(false)
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="mt-5 flex flex-col gap-4">
      <label className="flex items-center gap-2.5 max-md:min-h-11">
        <input
          type="checkbox"
          role="switch"
          checked={setting.enabled}
          onChange={(event) => updateSetting({ enabled: event.target.checked })}
          className="size-4 accent-(--accent)"
        />
        {settingText.enabled}
      </label>
      {fields.map(({ name, label, hint, example }) => (
        <FormField key={name} label={label} hint={hint} error={errors[name]}>
          {(field) => (
            <Textarea
              {...field}
              rows={4}
              className="min-h-28"
              maxLength={MAX_CHARS}
              placeholder={example}
              value={setting[name]}
              onChange={(event) => updateSetting({ [name]: event.target.value })}
            />
          )}
        </FormField>
      ))}
      <Button type="submit" variant="primary" pending={pending} className="self-start">
        {settingText.save}
      </Button>
    </form>
  )
}
