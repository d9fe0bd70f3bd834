import type { ReactNode } from 'react'
import type { Column } from '#web/ui/Table.tsx'
import type { FormBinding } from './DialogForm.tsx'

/** What keys of both kinds have. */
export type AnyKey = { uuid: string; name: string; value: string; raw_value: string | null; status: boolean }

/** What is said about a kind of keys. */
export type KeyKindText = {
  title: string
  intro: string
  create: string
  createTitle: string
  editTitle: string
  createFailed: (why: string) => string
  updateFailed: (why: string) => string
  removeFailed: (why: string) => string
  empty: string
  emptyHint: string
  removeTitle: string
  removeText: (name: string) => string
}

export type KeyActions<K, F> = {
  /** Returns the new key with its whole value. Throws ApiError. */
  create(fields: F): Promise<K>
  /** Saves what was changed. Throws ApiError. */
  save(key: K, fields: F): Promise<void>
  /** A failure of these two is said and goes no further. */
  toggle(key: K): Promise<void>
  remove(key: K): Promise<void>
}

/** A kind of keys: how a room of them is shown, and what can be done there. F are the values of its form. */
export type KeyKind<K extends AnyKey, F> = {
  text: KeyKindText
  columns: Column<K>[]
  /** The form of a new key. */
  emptyFields: F
  toFields: (key: K) => F
  /** Fields whose text is a number. */
  numberFields: readonly (keyof F & string)[]
  renderFields: (form: FormBinding<F>) => ReactNode
  actions: KeyActions<K, F>
}
