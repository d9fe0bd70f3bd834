import { keysText } from '#web/text/keys.ts'
import { toast } from '#web/ui/toast.ts'
import { withToast } from '#web/ui/withToast.ts'
import { pickChanges } from './keyFields.ts'
import type { KeyActions, AnyKey, KeyKindText } from './keyKind.ts'

type KeyParams = { params: { id: string } }
export const toKeyParams = ({ uuid }: AnyKey): KeyParams => ({ params: { id: uuid } })

type KeyActionOptions<K, F, B> = {
  text: KeyKindText
  toFields: (key: K) => F
  /** What a form asks the server for. */
  toBody: (fields: F) => B
  calls: {
    create: (body: B) => Promise<K>
    update: (target: KeyParams, body: Partial<B>) => Promise<K>
    setStatus: (target: KeyParams, status: boolean) => Promise<K>
    remove: (target: KeyParams) => Promise<undefined>
  }
  /** Reads the list again. */
  invalidate: () => Promise<void>
}

/** What can be done with the keys of a kind, each followed by the list as it is then. */
export function createKeyActions<K extends AnyKey, F, B extends object>(
  options: KeyActionOptions<K, F, B>,
): KeyActions<K, F> {
  const { text, toFields, toBody, calls, invalidate } = options
  return {
    async create(fields) {
      const key = await calls.create(toBody(fields))
      await invalidate()
      return key
    },
    async save(key, fields) {
      await calls.update(toKeyParams(key), pickChanges(toBody(toFields(key)), toBody(fields)))
      await invalidate()
      toast.success(keysText.saved)
    },
    async toggle(key) {
      const status = !key.status
      const done = status ? keysText.enabled : keysText.disabled
      await withToast(() => calls.setStatus(toKeyParams(key), status), { done, failed: text.updateFailed })
      await invalidate()
    },
    async remove(key) {
      await withToast(() => calls.remove(toKeyParams(key)), {
        done: keysText.removed,
        failed: text.removeFailed,
      })
      await invalidate()
    },
  }
}
