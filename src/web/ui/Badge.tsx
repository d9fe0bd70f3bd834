import { clsx } from 'clsx'
import type { ReactNode } from 'react'

const tones = {
  neutral: 'bg-fill text-ink2 dark:bg-fill2',
  accent: 'bg-accent-soft text-accent',
}

/** Shows a word about a model beside its name. */
export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'rounded-md px-1.5 py-0.5 text-xs leading-4.5 whitespace-nowrap tabular-nums',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
