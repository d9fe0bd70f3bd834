import type { ComponentProps, ReactNode } from 'react'
import { FormField } from '../ui/FormField.tsx'
import { Input } from '../ui/Input.tsx'
import { Select } from '../ui/Select.tsx'
import { Textarea } from '../ui/Textarea.tsx'
import type { Form } from './FieldsForm.tsx'

/** Names of the fields of a form that hold a text. */
type TextName<F> = { [K in keyof F]: F[K] extends string ? K : never }[keyof F] & string
type Common<F> = { form: Form<F>; name: TextName<F>; label: string; hint?: string }

const read = <F,>({ values }: Form<F>, name: TextName<F>) => values[name] as string
const change = <F,>(form: Form<F>, name: TextName<F>, text: string) =>
  form.set({ [name]: text } as unknown as Partial<F>)

export function TextField<F>({
  form,
  name,
  label,
  hint,
  ...input
}: Common<F> & Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'maxLength' | 'required'>) {
  return (
    <FormField label={label} hint={hint} error={form.errors[name]}>
      {(field) => (
        <Input
          {...field}
          {...input}
          name={name}
          autoComplete="off"
          value={read(form, name)}
          onChange={(event) => change(form, name, event.target.value)}
        />
      )}
    </FormField>
  )
}

export function LinesField<F>({ form, name, label, hint }: Common<F>) {
  return (
    <FormField label={label} hint={hint} error={form.errors[name]}>
      {(field) => (
        <Textarea
          {...field}
          rows={2}
          name={name}
          spellCheck={false}
          value={read(form, name)}
          onChange={(event) => change(form, name, event.target.value)}
        />
      )}
    </FormField>
  )
}

export function ChoiceField<F>({
  options,
  form,
  name,
  label,
  hint,
}: Common<F> & { options: { value: string; label: string }[] }) {
  return (
    <FormField label={label} hint={hint} error={form.errors[name]}>
      {(field) => (
        <Select
          {...field}
          name={name}
          value={read(form, name)}
          onChange={(event) => change(form, name, event.target.value)}
        >
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

export function CheckField(props: {
  checked: boolean
  onChange: (on: boolean) => void
  children: ReactNode
}) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-[13px] max-md:min-h-11">
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
