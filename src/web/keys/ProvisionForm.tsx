import { keyGroups } from '#contract/key-groups.ts'
import { keysText, provisionText } from '../text/keys.ts'
import { CheckField, LinesField, TextField } from './controls.tsx'
import { provisionNumbers, type ProvisionFields } from './fields.ts'
import { FieldsForm } from './FieldsForm.tsx'

type Props = {
  initial: ProvisionFields
  submit: string
  failed: (why: string) => string
  save: (fields: ProvisionFields) => Promise<void>
  onCancel: () => void
}

/** A provision key's name and the caps on what it may write. */
export function ProvisionForm(props: Props) {
  return (
    <FieldsForm {...props} numbers={provisionNumbers}>
      {(form) => {
        const { allowed_groups } = form.values
        return (
          <>
            <TextField form={form} name="name" label={keysText.name} maxLength={60} />
            <h3 className="mt-1 text-[13px] text-ink2">{provisionText.caps}</h3>
            <TextField
              form={form}
              name="max_credit_limit"
              label={provisionText.max_credit_limit}
              hint={provisionText.maxCreditHint}
              inputMode="decimal"
            />
            <TextField
              form={form}
              name="max_days"
              label={provisionText.max_days}
              hint={provisionText.maxDaysHint}
              inputMode="numeric"
            />
            <TextField
              form={form}
              name="max_keys"
              label={provisionText.max_keys}
              hint={provisionText.maxKeysHint}
              inputMode="numeric"
            />
            <fieldset>
              <legend className="text-[13px] font-medium">{provisionText.allowed_groups}</legend>
              <div className="flex flex-wrap gap-x-5">
                {keyGroups.map(({ name, alias }) => (
                  <CheckField
                    key={name}
                    checked={allowed_groups.includes(name)}
                    onChange={(on) =>
                      form.set({
                        allowed_groups: keyGroups
                          .map((group) => group.name)
                          .filter((one) => (one === name ? on : allowed_groups.includes(one))),
                      })
                    }
                  >
                    {alias}
                  </CheckField>
                ))}
              </div>
              <p className="text-[13px] text-ink3">{provisionText.groupsHint}</p>
            </fieldset>
            <LinesField
              form={form}
              name="allowed_models"
              label={keysText.allowed_models}
              hint={keysText.modelsHint}
            />
          </>
        )
      }}
    </FieldsForm>
  )
}
