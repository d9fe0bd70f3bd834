import type { ProvisionKey } from '#contract/keys.ts'
import { keyGroups, type KeyGroup } from '#contract/key-groups.ts'
import { findEmpty, useForm } from '#web/core/useForm.ts'
import { fieldsText, keysText, provisionText } from '#web/text/keys.ts'
import { Checkbox, TextareaField, TextField } from '#web/ui/form/fields.tsx'
import { toast } from '#web/ui/toast.ts'
import { invalidateProvisionKeys, provisionKeyCalls, type ProvisionKeyBody } from './keyCalls.ts'
import {
  findInvalidNumbers,
  KeyForm,
  parseLines,
  parseOptionalNumber,
  pickChanges,
  toKeyErrors,
} from './KeyForm.tsx'

/** Numbers and the list of models are kept as typed text. */
type ProvisionKeyFields = {
  name: string
  max_credit_limit: string
  total_credit_limit: string
  max_days: string
  max_keys: string
  allowed_groups: KeyGroup[]
  allowed_models: string
}

const emptyFields: ProvisionKeyFields = {
  name: '',
  max_credit_limit: '0',
  total_credit_limit: '0',
  max_days: '',
  max_keys: '',
  allowed_groups: [],
  allowed_models: '',
}

const toFields = (key: ProvisionKey): ProvisionKeyFields => ({
  name: key.name,
  max_credit_limit: String(key.max_credit_limit),
  total_credit_limit: String(key.total_credit_limit),
  max_days: key.max_days?.toString() ?? '',
  max_keys: key.max_keys?.toString() ?? '',
  allowed_groups: key.allowed_groups ?? [],
  allowed_models: key.allowed_models?.join('\n') ?? '',
})

const toBody = (fields: ProvisionKeyFields): ProvisionKeyBody => ({
  name: fields.name,
  max_credit_limit: Number(fields.max_credit_limit),
  total_credit_limit: Number(fields.total_credit_limit),
  max_days: parseOptionalNumber(fields.max_days),
  max_keys: parseOptionalNumber(fields.max_keys),
  allowed_groups: fields.allowed_groups.length ? fields.allowed_groups : null,
  allowed_models: parseLines(fields.allowed_models),
})

const numberFields = ['max_credit_limit', 'total_credit_limit', 'max_days', 'max_keys'] as const

type Props = {
  /** Null for a new key. */
  edited: ProvisionKey | null
  onCreated: (key: ProvisionKey) => void
  onClose: () => void
}

/** A provision key's name, and limits for the keys that it creates. */
export function ProvisionKeyForm({ edited, onCreated, onClose }: Props) {
  const form = useForm(edited ? toFields(edited) : emptyFields)
  const { allowed_groups } = form.data
  const create = async (fields: ProvisionKeyFields) => {
    const key = await provisionKeyCalls.create(toBody(fields))
    await invalidateProvisionKeys()
    onCreated(key)
  }
  const update = async (key: ProvisionKey, fields: ProvisionKeyFields) => {
    await provisionKeyCalls.update(key, pickChanges(toBody(toFields(key)), toBody(fields)))
    await invalidateProvisionKeys()
    toast.success(keysText.saved)
  }
  const onSubmit = form.handleSubmit((fields) => (edited ? update(edited, fields) : create(fields)), {
    validate: (fields) => ({ ...findEmpty(fields, ['name']), ...findInvalidNumbers(fields, numberFields) }),
    toErrors: toKeyErrors<ProvisionKeyFields>,
    onSuccess: onClose,
  })
  const chooseGroup = (group: KeyGroup, checked: boolean) => {
    const names = keyGroups.map(({ name }) => name)
    const isAllowed = (name: KeyGroup) => (name === group ? checked : allowed_groups.includes(name))
    form.setData({ allowed_groups: names.filter(isAllowed) })
  }
  return (
    <KeyForm
      form={form}
      onSubmit={onSubmit}
      createLabel={edited ? null : provisionText.create}
      onCancel={onClose}
    >
      <TextField form={form} name="name" {...fieldsText.name} maxLength={60} autoComplete="off" />
      <h3 className="mt-1 text-note text-ink2">{provisionText.caps}</h3>
      {numberFields.map((name) => (
        <TextField
          key={name}
          form={form}
          name={name}
          {...fieldsText[name]}
          inputMode="decimal"
          autoComplete="off"
        />
      ))}
      <fieldset>
        <legend className="text-note font-medium">{provisionText.allowed_groups}</legend>
        <div className="flex flex-wrap gap-x-5">
          {keyGroups.map(({ name, alias }) => (
            <Checkbox
              key={name}
              checked={allowed_groups.includes(name)}
              onChange={(checked) => chooseGroup(name, checked)}
            >
              {alias}
            </Checkbox>
          ))}
        </div>
        <p className="text-note text-ink3">{provisionText.groupsHint}</p>
      </fieldset>
      <TextareaField
        form={form}
        name="allowed_models"
        {...fieldsText.allowed_models}
        rows={2}
        spellCheck={false}
      />
    </KeyForm>
  )
}
