import type { ComponentProps, ReactNode } from 'react'
import { fieldsText, type FieldText } from '#web/text/keys.ts'
import { FormField, type FieldProps } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { Textarea } from '#web/ui/form/Textarea.tsx'
import type { FormBinding } from './DialogForm.tsx'

/** Names of the fields of a form that hold a text; each has its words under the same name. */
type TextFieldName<F> = { [K in keyof F]: F[K] extends string ? K : never }[keyof F] & keyof typeof fieldsText
type BoundFieldProps<F> = { form: FormBinding<F>; name: TextFieldName<F> }

type ControlProps = FieldProps & {
  name: string
  value: string
  onChange: (event: { target: { value: string } }) => void
}

/** Label, hint or error, and a control that is bound to the field. */
function BoundField<F>({
  form,
  name,
  children,
}: BoundFieldProps<F> & { children: (props: ControlProps) => ReactNode }) {
  const { label, hint }: FieldText = fieldsText[name]
  return (
    <FormField label={label} hint={hint} error={form.errors[name]}>
      {(field) =>
        children({
          ...field,
          name,
          value: form.values[name] as string,
          onChange: ({ target }) => form.set({ [name]: target.value } as unknown as Partial<F>),
        })
      }
    </FormField>
  )
}

export function TextField<F>({
  form,
  name,
  ...input
}: BoundFieldProps<F> & Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'maxLength'>) {
  return (
    <BoundField form={form} name={name}>
      {(control) => <Input autoComplete="off" {...input} {...control} />}
    </BoundField>
  )
}

export function NumberField<F>(field: BoundFieldProps<F>) {
  return <TextField inputMode="decimal" {...field} />
}

/** One entry a line. */
export function LinesField<F>(field: BoundFieldProps<F>) {
  return (
    <BoundField {...field}>{(control) => <Textarea rows={2} spellCheck={false} {...control} />}</BoundField>
  )
}

export function ChoiceField<F>({
  options,
  ...field
}: BoundFieldProps<F> & { options: { value: string; label: string }[] }) {
  return (
    <BoundField {...field}>
      {(control) => (
        <Select {...control}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </BoundField>
  )
}

export function CheckField(props: {
  checked: boolean
  onChange: (on: boolean) => void
  children: ReactNode
}) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-note max-md:min-h-11">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={props.checked}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      {props.children}
    </label>
  )
}
