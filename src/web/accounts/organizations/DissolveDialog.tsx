import type { Organization } from '#contract/organizations/organizations.ts'
import { formatCoins } from '#web/core/format.ts'
import { useForm } from '#web/core/useForm.ts'
import { organizationText as text } from '#web/text/account/organization.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { toast } from '#web/ui/toast.ts'
import { organizationActions } from './organizationCalls.ts'

type Props = { organization: Organization; open: boolean; onOpenChange: (open: boolean) => void }

/** Dissolves the organization once its name is typed. */
export const DissolveDialog = ({ organization, ...props }: Props) => (
  <Dialog {...props} title={text.dissolveTitle(organization.name)}>
    <DissolveForm organization={organization} onCancel={() => props.onOpenChange(false)} />
  </Dialog>
)

function DissolveForm({ organization, onCancel }: { organization: Organization; onCancel: () => void }) {
  const { uuid: id, name, balance } = organization
  const form = useForm({ name: '' })
  const onSubmit = form.handleSubmit((fields) => organizationActions.dissolve(id, fields.name), {
    onSuccess: ({ returned }) => toast.success(text.dissolved(formatCoins(returned))),
    onError: (errors) => errors.form && toast.error(errors.form),
  })
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4">
      <ul className="list-disc space-y-1 pl-5 text-note leading-6 text-ink2 marker:text-ink3">
        {text.dissolveLines(formatCoins(balance)).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <TextField form={form} name="name" label={text.dissolveName(name)} autoComplete="off" />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{uiText.cancel}</Button>
        <Button
          type="submit"
          variant="danger"
          pending={form.processing}
          disabled={form.data.name.trim() !== name}
        >
          {text.dissolve}
        </Button>
      </div>
    </form>
  )
}
