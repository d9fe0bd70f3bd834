import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { ApiError } from '../core/api.ts'
import { keysText } from '../text/keys.ts'
import { Button } from '../ui/Button.tsx'
import { notNumbers } from './fields.ts'

/** What the controls of a form share. */
export type Form<F> = { values: F; errors: Record<string, string>; set: (change: Partial<F>) => void }

type Props<F> = {
  initial: F
  numbers: readonly (keyof F & string)[]
  /** Throws ApiError; closing the form is the saver's. */
  save: (values: F) => Promise<void>
  failed: (why: string) => string
  submit: string
  onCancel: () => void
  children: (form: Form<F>) => ReactNode
}

/** The inside of a dialog that creates or edits: fields, the server's reasons beside them, and the buttons. */
export function FieldsForm<F extends object>(props: Props<F>) {
  const { initial, numbers, save, failed, submit, onCancel, children } = props
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [pending, setPending] = useState(false)

  const onSubmit = async (event: SyntheticEvent) => {
    event.preventDefault()
    const wrong = notNumbers(values, numbers)
    if (wrong.length) return setErrors(Object.fromEntries(wrong.map((name) => [name, keysText.notNumber])))
    setErrors({})
    setPending(true)
    try {
      await save(values)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setErrors({ ...byField(error.errors), form: failed(error.message) })
      setPending(false)
    }
  }
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-3">
      {children({ values, errors, set: (change) => setValues((now) => ({ ...now, ...change })) })}
      <p role="alert" className="text-[13px] text-danger empty:hidden">
        {errors.form}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{keysText.cancel}</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

/** The reason of an entry of a list stands beside the list. */
const byField = (errors: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).map(([path, why]) => [path.split('.')[0], why]))
