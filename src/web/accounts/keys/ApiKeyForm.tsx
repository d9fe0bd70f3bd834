import type { ApiKey } from '#contract/keys.ts'
import { keyGroups, type KeyGroup } from '#contract/key-groups.ts'
import type { ProviderSort } from '#contract/users.ts'
import { findEmpty, useForm } from '#web/core/useForm.ts'
import { fieldsText, keysText } from '#web/text/keys.ts'
import { Checkbox, SelectField, TextareaField, TextField } from '#web/ui/form/fields.tsx'
import { toast } from '#web/ui/toast.ts'
import { apiKeyCalls, invalidateApiKeys, type ApiKeyBody } from './keyCalls.ts'
import {
  findInvalidNumbers,
  getLastDay,
  KeyForm,
  parseLines,
  parseOptionalNumber,
  pickChanges,
  toKeyErrors,
} from './KeyForm.tsx'

/** Numbers and lists are kept as typed text, lists with one entry a line. */
export type ApiKeyFields = {
  name: string
  group: KeyGroup
  provider_sort: ProviderSort
  auto_switch: boolean
  credit_limit: string
  expired_at: string
  allowed_models: string
  allowed_addresses: string
  requests_per_minute: string
  tokens_per_minute: string
}

export const emptyApiKeyFields: ApiKeyFields = {
  name: '',
  group: 'balance',
  provider_sort: 'default',
  auto_switch: true,
  credit_limit: '0',
  expired_at: '',
  allowed_models: '',
  allowed_addresses: '',
  requests_per_minute: '',
  tokens_per_minute: '',
}

const toApiKeyFields = (key: ApiKey): ApiKeyFields => ({
  name: key.name,
  group: key.group.name,
  provider_sort: key.provider_sort,
  auto_switch: key.auto_switch,
  credit_limit: String(key.credit_limit),
  expired_at: getLastDay(key.expired_at),
  allowed_models: key.allowed_models?.join('\n') ?? '',
  allowed_addresses: key.allowed_addresses?.join('\n') ?? '',
  requests_per_minute: key.requests_per_minute?.toString() ?? '',
  tokens_per_minute: key.tokens_per_minute?.toString() ?? '',
})

export const toApiKeyBody = (fields: ApiKeyFields): ApiKeyBody => ({
  name: fields.name,
  group: fields.group,
  provider_sort: fields.provider_sort,
  auto_switch: fields.auto_switch,
  credit_limit: Number(fields.credit_limit),
  expired_at: fields.expired_at,
  allowed_models: parseLines(fields.allowed_models),
  allowed_addresses: parseLines(fields.allowed_addresses),
  requests_per_minute: parseOptionalNumber(fields.requests_per_minute),
  tokens_per_minute: parseOptionalNumber(fields.tokens_per_minute),
})

const groupOptions = keyGroups.map(({ name, alias, desc }) => ({ value: name, label: `${alias}：${desc}` }))
const sortOptions = Object.entries(keysText.provider_sorts).map(([value, label]) => ({ value, label }))
const numberFields = ['credit_limit', 'requests_per_minute', 'tokens_per_minute'] as const
/** Fields of the folded part, which opens when one of them has an error. */
const collapsedFields = ['allowed_models', 'allowed_addresses', 'requests_per_minute', 'tokens_per_minute']

type Props = {
  /** Null for a new key. */
  edited: ApiKey | null
  onCreated: (key: ApiKey) => void
  onClose: () => void
}

/** All settings of an API key; rarely needed ones are folded away. */
export function ApiKeyForm({ edited, onCreated, onClose }: Props) {
  const form = useForm(edited ? toApiKeyFields(edited) : emptyApiKeyFields)
  const create = async (fields: ApiKeyFields) => {
    const key = await apiKeyCalls.create(toApiKeyBody(fields))
    await invalidateApiKeys()
    onCreated(key)
  }
  const update = async (key: ApiKey, fields: ApiKeyFields) => {
    await apiKeyCalls.update(key, pickChanges(toApiKeyBody(toApiKeyFields(key)), toApiKeyBody(fields)))
    await invalidateApiKeys()
    toast.success(keysText.saved)
  }
  const onSubmit = form.handleSubmit((fields) => (edited ? update(edited, fields) : create(fields)), {
    validate: (fields) => ({ ...findEmpty(fields, ['name']), ...findInvalidNumbers(fields, numberFields) }),
    toErrors: toKeyErrors<ApiKeyFields>,
    onSuccess: onClose,
  })
  return (
    <KeyForm form={form} onSubmit={onSubmit} createLabel={edited ? null : keysText.create} onCancel={onClose}>
      <TextField form={form} name="name" {...fieldsText.name} maxLength={60} autoComplete="off" />
      <SelectField form={form} name="group" {...fieldsText.group} options={groupOptions} />
      <TextField
        form={form}
        name="credit_limit"
        {...fieldsText.credit_limit}
        inputMode="decimal"
        autoComplete="off"
      />
      <TextField form={form} name="expired_at" {...fieldsText.expired_at} type="date" autoComplete="off" />
      <details
        open={collapsedFields.some((name) => name in form.errors) || undefined}
        className="rounded-xl border px-3.5 py-1"
      >
        <summary className="py-2 text-note font-medium max-md:py-3">{keysText.advanced}</summary>
        <div className="flex flex-col gap-3 pt-2 pb-3">
          <SelectField form={form} name="provider_sort" {...fieldsText.provider_sort} options={sortOptions} />
          <Checkbox
            checked={form.data.auto_switch}
            onChange={(autoSwitch) => form.setData({ auto_switch: autoSwitch })}
          >
            {keysText.auto_switch}
          </Checkbox>
          {(['allowed_models', 'allowed_addresses'] as const).map((name) => (
            <TextareaField
              key={name}
              form={form}
              name={name}
              {...fieldsText[name]}
              rows={2}
              spellCheck={false}
            />
          ))}
          {(['requests_per_minute', 'tokens_per_minute'] as const).map((name) => (
            <TextField
              key={name}
              form={form}
              name={name}
              {...fieldsText[name]}
              inputMode="decimal"
              autoComplete="off"
            />
          ))}
        </div>
      </details>
    </KeyForm>
  )
}
