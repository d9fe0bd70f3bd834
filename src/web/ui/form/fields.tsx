import type { ComponentProps, ReactNode } from 'react'
import type { Form } from '#web/core/useForm.ts'
import { FormField } from './FormField.tsx'
import { Input } from './Input.tsx'
import { Select } from './Select.tsx'
import { Textarea } from './Textarea.tsx'

/** Names of a form's fields that hold a text. */
type TextName<F> = { [K in keyof F]: F[K] extends string ? K : never }[keyof F] & string

/** Props of a labelled field, bound to the data and errors of a form. */
type Bound<F extends object> = {
  form: Pick<Form<F>, 'data' | 'errors' | 'setData'>
  name: TextName<F>
  label: string
  hint?: string
}

const bind = <F extends object>({ data, setData }: Bound<F>['form'], name: TextName<F>) => ({
  name,
  value: data[name] as string,
  onChange: ({ target }: { target: { value: string } }) =>
    setData({ [name]: target.value } as unknown as Partial<F>),
})

export function TextField<F extends object>({
  form,
  name,
  label,
  hint,
  ...input
}: Bound<F> & Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'maxLength' | 'autoComplete'>) {
  return (
    <FormField label={label} hint={hint} error={form.errors[name]}>
      {(field) => <Input {...input} {...field} {...bind(form, name)} />}
    </FormField>
  )
}

export function TextareaField<F extends object>({
  form,
  name,
  label,
  hint,
  ...textarea
}: Bound<F> &
  Pick<ComponentProps<'textarea'>, 'rows' | 'maxLength' | 'placeholder' | 'spellCheck' | 'className'>) {
  return (
    <FormField label={label} hint={hint} error={form.errors[name]}>
      {(field) => <Textarea {...textarea} {...field} {...bind(form, name)} />}
    </FormField>
  )
}

export function SelectField<F extends object>({
  form,
  name,
  label,
  hint,
  options,
}: Bound<F> & { options: readonly { value: string; label: string }[] }) {
  return (
    <FormField label={label} hint={hint} error={form.errors[name]}>
      {(field) => (
        <Select {...field} {...bind(form, name)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </FormField>
  )
}

type CheckboxProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode }

export function Checkbox({ checked, onChange, children }: CheckboxProps) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-note max-md:min-h-11">
      <input
        type="checkbox"
        className="size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {children}
    </label>
  )
}
