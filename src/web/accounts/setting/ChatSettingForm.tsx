import type { ChatSetting } from '#contract/users.ts'
import { useForm } from '#web/core/useForm.ts'
import { settingText } from '#web/text/setting.ts'
import { TextareaField } from '#web/ui/form/fields.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'
import { toast } from '#web/ui/toast.ts'
import { saveChatSetting } from './chatSetting.ts'

/** The longest text that the server accepts, characters. */
const MAX_CHARS = 2_000

const fields = [
  {
    name: 'self_intro',
    label: settingText.self_intro,
    hint: settingText.introHint,
    placeholder: settingText.introExample,
  },
  {
    name: 'reply_style',
    label: settingText.reply_style,
    hint: settingText.styleHint,
    placeholder: settingText.styleExample,
  },
] as const

/** Edits the personal facts that every conversation starts with. */
export function ChatSettingForm({ initial }: { initial: ChatSetting }) {
  const form = useForm(initial)
  const onSubmit = form.handleSubmit(saveChatSetting, {
    onSuccess(saved) {
      form.reset(saved)
      toast.success(settingText.saved)
    },
    onError: (errors) => errors.form && toast.error(errors.form),
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <label className="flex items-center gap-2.5 max-md:min-h-11">
        <input
          type="checkbox"
          role="switch"
          checked={form.data.enabled}
          onChange={({ target }) => form.setData({ enabled: target.checked })}
          className="size-4 accent-(--accent)"
        />
        {settingText.enabled}
      </label>
      {fields.map((field) => (
        <TextareaField
          key={field.name}
          form={form}
          {...field}
          rows={4}
          className="min-h-28"
          maxLength={MAX_CHARS}
        />
      ))}
      <SaveButton form={form} className="self-start" />
    </form>
  )
}
