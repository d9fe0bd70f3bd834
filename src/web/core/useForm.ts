import { useState, type SyntheticEvent } from 'react'
import { createStore, useStore } from 'zustand'
import { uiText } from '#web/text/ui.ts'
import { ApiError } from './api.ts'

/** How long a form says that it was saved, ms (specification section 4). */
const RECENT_MS = 2_000

/** Reasons of a refusal, by field; `form` belongs to no field. */
export type FormErrors<F> = { [K in (keyof F & string) | 'form']?: string }

export type FormState<F> = {
  data: F
  errors: FormErrors<F>
  /** The data differ from those saved last. */
  isDirty: boolean
  processing: boolean
  /** Share of an upload that is sent, 0 to 1; null while nothing is uploaded. */
  progress: number | null
  wasSuccessful: boolean
  recentlySuccessful: boolean
}

type Send<F, T> = (data: F, onProgress: (share: number) => void) => Promise<T>

type SubmitOptions<F, T> = {
  /** Finds errors that need no request. */
  validate?: (data: F) => FormErrors<F>
  /** Assigns a failure to fields; throws errors that are no refusal. By default the server's reasons go to their fields. */
  toErrors?: (error: unknown) => FormErrors<F>
  /** The form stays in processing until this has finished. */
  onSuccess?: (result: T) => void | Promise<void>
  onError?: (errors: FormErrors<F>) => void
}

/** Errors of required fields that are empty. The server would take an empty field for an unchanged one. */
export const findEmpty = <F extends object>(data: F, names: readonly (keyof F & string)[]): FormErrors<F> =>
  Object.fromEntries(
    names.filter((name) => !String(data[name]).trim()).map((name) => [name, uiText.required]),
  ) as FormErrors<F>

/** A form independent of its component: its state and its methods. */
export function createForm<F extends object>(initial: F) {
  let savedData = initial
  let timer: ReturnType<typeof setTimeout> | undefined
  const store = createStore<FormState<F>>(() => ({
    data: initial,
    errors: {},
    isDirty: false,
    processing: false,
    progress: null,
    wasSuccessful: false,
    recentlySuccessful: false,
  }))
  const showData = (data: F) => store.setState({ data, isDirty: !isSame(data, savedData) })

  return {
    store,
    setData: (change: Partial<F> | ((data: F) => Partial<F>)) => {
      const { data } = store.getState()
      showData({ ...data, ...(typeof change === 'function' ? change(data) : change) })
    },
    /** Goes back to the data saved last, or to `values`, which then count as saved. */
    reset: (values: F = savedData): void => {
      savedData = values
      showData(values)
      store.setState({ errors: {} })
    },
    /** Sends the data, unless they are invalid or being sent already. */
    submit: async <T>(send: Send<F, T>, options: SubmitOptions<F, T> = {}): Promise<void> => {
      const { validate, toErrors = toFieldErrors<F>, onSuccess, onError } = options
      const { data, processing } = store.getState()
      if (processing) return
      const fail = (errors: FormErrors<F>) => {
        store.setState({ errors })
        onError?.(errors)
      }
      const invalid = validate?.(data)
      if (invalid && Object.keys(invalid).length) return fail(invalid)
      clearTimeout(timer)
      store.setState({ errors: {}, processing: true, wasSuccessful: false, recentlySuccessful: false })
      try {
        const result = await send(data, (progress) => store.setState({ progress }))
        savedData = data
        showData(store.getState().data)
        store.setState({ wasSuccessful: true, recentlySuccessful: true })
        timer = setTimeout(() => store.setState({ recentlySuccessful: false }), RECENT_MS)
        await onSuccess?.(result)
      } catch (error) {
        fail(toErrors(error))
      } finally {
        store.setState({ processing: false, progress: null })
      }
    },
  }
}

/** The state of a form, and `handleSubmit(send, options)`, which makes the handler of its `submit` event. */
export function useForm<F extends object>(initial: F) {
  const [{ store, setData, reset, submit }] = useState(() => createForm(initial))
  const handleSubmit =
    <T>(send: Send<F, T>, options?: SubmitOptions<F, T>) =>
    (event: SyntheticEvent) => {
      event.preventDefault()
      void submit(send, options)
    }
  return { ...useStore(store), setData, reset, handleSubmit }
}

/** The form as its controls receive it. */
export type Form<F extends object> = ReturnType<typeof useForm<F>>

/** The server's reasons by field. A reason for an entry of a list goes to the list; a failure without reasons to the form. */
export function toFieldErrors<F>(error: unknown): FormErrors<F> {
  if (!(error instanceof ApiError)) throw error
  const byField = Object.entries(error.errors).map(([path, reason]) => [path.split('.')[0], reason])
  return (byField.length ? Object.fromEntries(byField) : { form: error.message }) as FormErrors<F>
}

/** Compares as JSON, which is all that a form's data consist of. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
