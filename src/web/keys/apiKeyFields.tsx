import { keyGroups } from '#contract/key-groups.ts'
import { keysText } from '#web/text/keys.ts'
import { CheckField, ChoiceField, LinesField, NumberField, TextField } from './formFields.tsx'
import type { ApiKeyFields } from './keyFields.ts'
import type { FormBinding } from './DialogForm.tsx'

const groupOptions = keyGroups.map(({ name, alias, desc }) => ({ value: name, label: `${alias}：${desc}` }))
const sortOptions = Object.entries(keysText.provider_sorts).map(([value, label]) => ({ value, label }))

/** A reason beside a field in there must be seen. */
const collapsedFields = ['allowed_models', 'allowed_addresses', 'requests_per_minute', 'tokens_per_minute']

/** Everything that can be set on an API key; what few people need is folded away. */
export const renderApiKeyFields = (form: FormBinding<ApiKeyFields>) => (
  <>
    <TextField form={form} name="name" maxLength={60} />
    <ChoiceField form={form} name="group" options={groupOptions} />
    <NumberField form={form} name="credit_limit" />
    <TextField form={form} name="expired_at" type="date" />
    <details
      open={collapsedFields.some((name) => name in form.errors) || undefined}
      className="rounded-xl border px-3.5 py-1"
    >
      <summary className="py-2 text-note font-medium max-md:py-3">{keysText.advanced}</summary>
      <div className="flex flex-col gap-3 pt-2 pb-3">
        <ChoiceField form={form} name="provider_sort" options={sortOptions} />
        <CheckField checked={form.values.auto_switch} onChange={(auto_switch) => form.set({ auto_switch })}>
          {keysText.auto_switch}
        </CheckField>
        <LinesField form={form} name="allowed_models" />
        <LinesField form={form} name="allowed_addresses" />
        <NumberField form={form} name="requests_per_minute" />
        <NumberField form={form} name="tokens_per_minute" />
      </div>
    </details>
  </>
)
