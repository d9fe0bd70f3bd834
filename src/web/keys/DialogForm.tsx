import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { ApiError } from '#web/core/api.ts'
import { keysText } from '#web/text/keys.ts'
import { Button } from '#web/ui/Button.tsx'
import { findInvalidNumbers } from './keyFields.ts'

/** What the controls of a form share. */
export type FormBinding<F> = { values: F; errors: Record<string, string>; set: (change: Partial<F>) => void }

type Props<F> = {
  initial: F
  numberFields: readonly (keyof F & string)[]
  /** Throws ApiError; closing the form is the saver's. */
  save: (values: F) => Promise<void>
  formatError: (why: string) => string
  submitLabel: string
  onCancel: () => void
  children: (form: FormBinding<F>) => ReactNode
}

/** The inside of a dialog that creates or edits: fields, the server's reasons beside them, and the buttons. */
export function DialogForm<F extends object>(props: Props<F>) {
  const { initial, numberFields, save, formatError, submitLabel, onCancel, children } = props
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [pending, setPending] = useState(false)

  const onSubmit = async (event: SyntheticEvent) => {
    event.preventDefault()
    const invalidFields = findInvalidNumbers(values, numberFields)
    if (invalidFields.length)
      return setErrors(Object.fromEntries(invalidFields.map((name) => [name, keysText.notNumber])))
    setErrors({})
    setPending(true)
    try {
      await save(values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setErrors({ ...groupByField(error.errors), form: formatError(error.message) })
      setPending(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-3">
      {children({ values, errors, set: (change) => setValues((now) => ({ ...now, ...change })) })}
      <p role="alert" className="text-note text-danger empty:hidden">
        {errors.form}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{keysText.cancel}</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

/** The reason of an entry of a list stands beside the list. */
const groupByField = (errors: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([path, why]) => [path.split('.')[0], why]))
