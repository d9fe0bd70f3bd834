import type { AnyKey } from './kind.ts'

/** The whole value of the key that was made last, while that key is still there; null otherwise. */
export function usableValue(newest: AnyKey | null, keys: AnyKey[] = []): string | null {
  const there = keys.find(({ uuid }) => uuid === newest?.uuid)
  // A value that was replaced meanwhile, in another tab, would not work.
  return there && there.value === newest?.value ? newest.raw_value : null
}
