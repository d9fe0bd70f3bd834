import { useId, type ReactNode } from 'react'

/** Props to spread on the field's control. */
type FieldProps = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type Props = {
  label: string
  hint?: string
  error?: string | undefined
  children: (field: FieldProps) => ReactNode
}

/** A label, its control, and below it the error or else the hint, linked for screen readers. */
export function FormField({ label, hint, error, children }: Props) {
  const id = useId()
  const note = error || hint
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-note font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {/* Always there: a live region announces only what changes inside it. */}
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={error ? 'text-note text-danger' : 'text-note text-ink3'}
      >
        {note}
      </p>
    </div>
  )
}
