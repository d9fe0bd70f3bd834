import type { AnyKey } from './keyKind.ts'

/** The whole value of the key that was made last, while that key is still there; null otherwise. */
export function getUsableKeyValue(newest: AnyKey | null, keys: AnyKey[] = []): string | null {
  const current = keys.find(({ uuid }) => uuid === newest?.uuid)
  // A value that was replaced meanwhile, in another tab, would not work.
  return current && current.value === newest?.value ? newest.raw_value : null
}
