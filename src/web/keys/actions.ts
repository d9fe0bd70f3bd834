import { keysText } from '../text/keys.ts'
import { toast } from '../ui/toast.ts'
import { attempt } from './attempt.ts'
import { changed } from './fields.ts'
import type { Actions, AnyKey, KindText } from './kind.ts'

type At = { params: { id: string } }
export const at = ({ uuid }: AnyKey): At => ({ params: { id: uuid } })

type Options<K, F, B> = {
  text: KindText
  fieldsOf: (key: K) => F
  /** What a form asks the server for. */
  bodyOf: (fields: F) => B
  calls: {
    create: (body: B) => Promise<K>
    update: (at: At, body: Partial<B>) => Promise<K>
    setStatus: (at: At, status: boolean) => Promise<K>
    remove: (at: At) => Promise<undefined>
  }
  /** Reads the list again. */
  reload: () => Promise<void>
}

/** What can be done with the keys of a kind, each followed by the list as it is then. */
export function actionsOf<K extends AnyKey, F, B extends object>(options: Options<K, F, B>): Actions<K, F> {
  const { text, fieldsOf, bodyOf, calls, reload } = options
  return {
    async create(fields) {
      const key = await calls.create(bodyOf(fields))
      await reload()
      return key
    },
    async save(key, fields) {
      await calls.update(at(key), changed(bodyOf(fieldsOf(key)), bodyOf(fields)))
      await reload()
      toast.success(keysText.saved)
    },
    async toggle(key) {
      const status = !key.status
      const done = status ? keysText.enabled : keysText.disabled
      await attempt(() => calls.setStatus(at(key), status), { done, failed: text.updateFailed })
      await reload()
    },
    async remove(key) {
      await attempt(() => calls.remove(at(key)), { done: keysText.removed, failed: text.removeFailed })
      await reload()
    },
  }
}
