import { keyGroups } from '#contract/key-groups.ts'
import { keysText } from '../text/keys.ts'
import { CheckField, ChoiceField, LinesField, TextField } from './controls.tsx'
import { keyNumbers, type KeyFields } from './fields.ts'
import { FieldsForm } from './FieldsForm.tsx'

type Props = {
  initial: KeyFields
  submit: string
  failed: (why: string) => string
  save: (fields: KeyFields) => Promise<void>
  onCancel: () => void
}

const groups = keyGroups.map(({ name, alias, desc }) => ({ value: name, label: `${alias}：${desc}` }))
const sorts = Object.entries(keysText.provider_sorts).map(([value, label]) => ({ value, label }))

/** A reason beside a field in there must be seen. */
const folded = ['allowed_models', 'allowed_addresses', 'requests_per_minute', 'tokens_per_minute']

/** Everything that can be set on an API key; what few people need is folded away. */
export function KeyForm(props: Props) {
  return (
    <FieldsForm {...props} numbers={keyNumbers}>
      {(form) => (
        <>
          <TextField form={form} name="name" label={keysText.name} maxLength={60} />
          <ChoiceField form={form} name="group" label={keysText.group} options={groups} />
          <TextField
            form={form}
            name="credit_limit"
            label={keysText.credit_limit}
            hint={keysText.creditHint}
            inputMode="decimal"
          />
          <TextField
            form={form}
            name="expired_at"
            type="date"
            label={keysText.expired_at}
            hint={keysText.expiredHint}
          />
          <details
            open={folded.some((name) => name in form.errors) || undefined}
            className="rounded-xl border px-3.5 py-1"
          >
            <summary className="py-2 text-[13px] font-medium max-md:py-3">{keysText.advanced}</summary>
            <div className="flex flex-col gap-3 pt-2 pb-3">
              <ChoiceField form={form} name="provider_sort" label={keysText.provider_sort} options={sorts} />
              <CheckField
                checked={form.values.auto_switch}
                onChange={(auto_switch) => form.set({ auto_switch })}
              >
                {keysText.auto_switch}
              </CheckField>
              <LinesField
                form={form}
                name="allowed_models"
                label={keysText.allowed_models}
                hint={keysText.modelsHint}
              />
              <LinesField
                form={form}
                name="allowed_addresses"
                label={keysText.allowed_addresses}
                hint={keysText.addressesHint}
              />
              <TextField
                form={form}
                name="requests_per_minute"
                label={keysText.requests_per_minute}
                hint={keysText.perMinuteHint}
                inputMode="numeric"
              />
              <TextField
                form={form}
                name="tokens_per_minute"
                label={keysText.tokens_per_minute}
                hint={keysText.perMinuteHint}
                inputMode="numeric"
              />
            </div>
          </details>
        </>
      )}
    </FieldsForm>
  )
}
