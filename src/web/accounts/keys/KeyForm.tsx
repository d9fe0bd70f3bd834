import type { ReactNode, SyntheticEvent } from 'react'
import { ApiError } from '#web/core/api.ts'
import { toFieldErrors, type Form, type FormErrors } from '#web/core/useForm.ts'
import { keysText } from '#web/text/keys.ts'
import { uiText } from '#web/text/ui.ts'
import { Button } from '#web/ui/Button.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'

type Props<F extends object> = {
  form: Pick<Form<F>, 'errors' | 'isDirty' | 'processing'>
  onSubmit: (event: SyntheticEvent) => void
  /** Null while a key is edited. */
  createLabel: string | null
  onCancel: () => void
  children: ReactNode
}

/** Contents of a dialog that creates or edits a key: the fields, an error of the whole form, and the buttons. */
export function KeyForm<F extends object>({ form, onSubmit, createLabel, onCancel, children }: Props<F>) {
  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
      {children}
      <p role="alert" className="text-note text-danger empty:hidden">
        {form.errors.form}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{uiText.cancel}</Button>
        {createLabel === null ? (
          <SaveButton form={form} />
        ) : (
          <Button type="submit" variant="primary" pending={form.processing}>
            {createLabel}
          </Button>
        )}
      </div>
    </form>
  )
}

/** The server's reasons for the fields, and its message for the whole form, because a field may be folded away. */
export const toKeyErrors = <F,>(error: unknown): FormErrors<F> => ({
  ...toFieldErrors<F>(error),
  ...(error instanceof ApiError ? { form: error.message } : {}),
})

/** Errors of fields whose text is not a number; empty fields are valid. */
export const findInvalidNumbers = <F extends object>(
  data: F,
  names: readonly (keyof F & string)[],
): FormErrors<F> =>
  Object.fromEntries(
    names.filter((name) => !Number.isFinite(Number(data[name]))).map((name) => [name, keysText.notNumber]),
  ) as FormErrors<F>

/** The changed fields. Untouched ones are not sent, so that an exact time set by a program is not rounded to a day. */
export function pickChanges<B extends object>(before: B, after: B): Partial<B> {
  const same = (name: string) =>
    JSON.stringify(before[name as keyof B]) === JSON.stringify(after[name as keyof B])
  return Object.fromEntries(Object.entries(after).filter(([name]) => !same(name))) as Partial<B>
}

export const parseOptionalNumber = (text: string): number | null => (text.trim() ? Number(text) : null)

/** Entries separated by line breaks or commas; null without any. */
export function parseLines(text: string): string[] | null {
  const entries = text.split(/[\n,，]/).map((entry) => entry.trim())
  const filled = entries.filter(Boolean)
  return filled.length ? filled : null
}

/** The last full or partial day in China before a key expires, like `2026-11-21`; empty when it never does. */
export function getLastDay(expiredAt: string | null): string {
  if (!expiredAt) return ''
  return new Date(new Date(expiredAt).getTime() - 1 + 8 * 3_600_000).toISOString().slice(0, 10)
}
