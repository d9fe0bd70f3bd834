import { formatKeys, type KeyBinding } from './shortcuts.ts'

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys of a shortcut, with the labels of the person's keyboard. */
export function KeyCaps({ keys }: { keys: KeyBinding }) {
  return (
    <span className="flex shrink-0 gap-1">
      {formatKeys(keys, isApple).map((sign) => (
        <kbd
          key={sign}
          className="grid h-6 min-w-6 place-items-center rounded-md border border-line2 px-1.5 font-sans text-xs text-ink2"
        >
          {sign}
        </kbd>
      ))}
    </span>
  )
}
