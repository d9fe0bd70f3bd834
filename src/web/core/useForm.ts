import { useState, type SyntheticEvent } from 'react'
import { createStore, useStore } from 'zustand'
import { uiText } from '#web/text/ui.ts'
import { ApiError } from './api.ts'

/** How long a form says that it was saved (specification section 4). */
const RECENT_MS = 2_000

/** Why a form was refused, beside each field; `form` belongs to none. */
export type FormErrors<F> = { [K in (keyof F & string) | 'form']?: string }

export type FormState<F> = {
  data: F
  errors: FormErrors<F>
  /** The data differ from what was saved last. */
  isDirty: boolean
  processing: boolean
  /** The share of an upload that is sent, 0 to 1; null while nothing is uploaded. */
  progress: number | null
  wasSuccessful: boolean
  recentlySuccessful: boolean
}

type Send<F, T> = (data: F, onProgress: (share: number) => void) => Promise<T>

type SubmitOptions<F, T> = {
  /** What can be refused without asking the server. */
  validate?: (data: F) => FormErrors<F>
  /** Where the reason of a failure belongs; throws on what is none. Default: the server's reasons beside their fields. */
  toErrors?: (error: unknown) => FormErrors<F>
  /** The form is processing until this is done too. */
  onSuccess?: (result: T) => void | Promise<void>
  onError?: (errors: FormErrors<F>) => void
}

/** Fields that must not be empty and are: the server takes an empty field of what exists for one that is not changed. */
export const findEmpty = <F extends object>(data: F, names: readonly (keyof F & string)[]): FormErrors<F> =>
  Object.fromEntries(
    names.filter((name) => !String(data[name]).trim()).map((name) => [name, uiText.required]),
  ) as FormErrors<F>

/** A form apart from its component: its state, and what changes it. */
export function createForm<F extends object>(initial: F) {
  let saved = initial
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
  const showData = (data: F) => store.setState({ data, isDirty: !isSame(data, saved) })

  return {
    store,
    setData: (change: Partial<F> | ((data: F) => Partial<F>)) => {
      const { data } = store.getState()
      showData({ ...data, ...(typeof change === 'function' ? change(data) : change) })
    },
    /** Back to what was saved last; with `values`, to these, which count as saved. */
    reset: (values: F = saved): void => {
      saved = values
      showData(values)
      store.setState({ errors: {} })
    },
    /** Sends the data, unless they are invalid or on their way already. */
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
        saved = data
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

/** The state of a form, and `handleSubmit(send, options)`, which is the handler of its `submit` event. */
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

/** What the controls of a form share. */
export type Form<F extends object> = ReturnType<typeof useForm<F>>

/** The reason of an entry of a list stands beside the list; a failure without reasons belongs to the whole form. */
export function toFieldErrors<F>(error: unknown): FormErrors<F> {
  if (!(error instanceof ApiError)) throw error
  const byField = Object.entries(error.errors).map(([path, reason]) => [path.split('.')[0], reason])
  return (byField.length ? Object.fromEntries(byField) : { form: error.message }) as FormErrors<F>
}

/** Data of forms are what JSON can hold. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
