import { useForm } from '#web/core/useForm.ts'
import { PictureField } from '#web/files/files.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'
import { toast } from '#web/ui/toast.ts'

/** The longest name that the server accepts, characters. */
const MAX_NAME_CHARS = 30

type Fields = { name: string; logo: string }
type Props = { initial: Fields; submit: string; onSave: (fields: Fields) => Promise<unknown> }

/** Edits name and logo of a new or existing organization. */
export function NameForm({ initial, submit, onSave }: Props) {
  const form = useForm(initial)
  const onSubmit = form.handleSubmit(onSave, {
    onError: ({ form: formError }) => formError && toast.error(formError),
  })
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      <PictureField
        label={text.logo}
        renderPicture={(logo) => <Avatar name={form.data.name} src={logo} size="lg" />}
        value={form.data.logo}
        onChange={(logo) => form.setData({ logo })}
      />
      <TextField
        form={form}
        name="name"
        label={text.name}
        maxLength={MAX_NAME_CHARS}
        autoComplete="organization"
      />
      <SaveButton form={form} label={submit} disabled={!form.data.name.trim()} className="self-start" />
    </form>
  )
}
