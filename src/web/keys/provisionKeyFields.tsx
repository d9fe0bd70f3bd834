import { keyGroups } from '#contract/key-groups.ts'
import { provisionText } from '#web/text/keys.ts'
import { CheckField, LinesField, NumberField, TextField } from './formFields.tsx'
import type { ProvisionKeyFields } from './keyFields.ts'
import type { FormBinding } from './DialogForm.tsx'

/** A provision key's name and the caps on what it may write. */
export const renderProvisionKeyFields = (form: FormBinding<ProvisionKeyFields>) => (
  <>
    <TextField form={form} name="name" maxLength={60} />
    <h3 className="mt-1 text-note text-ink2">{provisionText.caps}</h3>
    <NumberField form={form} name="max_credit_limit" />
    <NumberField form={form} name="max_days" />
    <NumberField form={form} name="max_keys" />
    <GroupCheckboxes form={form} />
    <LinesField form={form} name="allowed_models" />
  </>
)

function GroupCheckboxes({ form }: { form: FormBinding<ProvisionKeyFields> }) {
  const { allowed_groups } = form.values
  const choose = (chosen: string, on: boolean) => {
    const names = keyGroups.map(({ name }) => name)
    form.set({
      allowed_groups: names.filter((name) => (name === chosen ? on : allowed_groups.includes(name))),
    })
  }
  return (
    <fieldset>
      <legend className="text-note font-medium">{provisionText.allowed_groups}</legend>
      <div className="flex flex-wrap gap-x-5">
        {keyGroups.map(({ name, alias }) => (
          <CheckField key={name} checked={allowed_groups.includes(name)} onChange={(on) => choose(name, on)}>
            {alias}
          </CheckField>
        ))}
      </div>
      <p className="text-note text-ink3">{provisionText.groupsHint}</p>
    </fieldset>
  )
}
