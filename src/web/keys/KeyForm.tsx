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
  /** Null where a key is edited. */
  createLabel: string | null
  onCancel: () => void
  children: ReactNode
}

/** The inside of a dialog that creates or edits a key: fields, what is wrong with none of them, and the buttons. */
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

/** The server's reasons beside their fields, some of which are folded away, and its message for the whole form. */
export const toKeyErrors = <F,>(error: unknown): FormErrors<F> => ({
  ...toFieldErrors<F>(error),
  ...(error instanceof ApiError ? { form: error.message } : {}),
})

/** Fields that must hold a number and do not; empty ones are fine. */
export const findInvalidNumbers = <F extends object>(
  data: F,
  names: readonly (keyof F & string)[],
): FormErrors<F> =>
  Object.fromEntries(
    names.filter((name) => !Number.isFinite(Number(data[name]))).map((name) => [name, keysText.notNumber]),
  ) as FormErrors<F>

/** What differs from before: what nobody touched is not sent, so an exact moment set by a program stays one. */
export function pickChanges<B extends object>(before: B, after: B): Partial<B> {
  const same = (name: string) =>
    JSON.stringify(before[name as keyof B]) === JSON.stringify(after[name as keyof B])
  return Object.fromEntries(Object.entries(after).filter(([name]) => !same(name))) as Partial<B>
}

export const parseOptionalNumber = (text: string): number | null => (text.trim() ? Number(text) : null)

/** One entry a line, or between commas; null without any. */
export function parseLines(text: string): string[] | null {
  const entries = text.split(/[\n,，]/).map((entry) => entry.trim())
  const filled = entries.filter(Boolean)
  return filled.length ? filled : null
}

/** The last whole or begun day in China before a key ends, `2026-11-21`; empty when it never does. */
export function getLastDay(expiredAt: string | null): string {
  if (!expiredAt) return ''
  return new Date(new Date(expiredAt).getTime() - 1 + 8 * 3_600_000).toISOString().slice(0, 10)
}
