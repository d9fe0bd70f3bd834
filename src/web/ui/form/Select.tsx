import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { fieldClass } from './Input.tsx'

/** The native select: the best list that every phone and screen reader has. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={clsx('relative inline-block', className)}>
      <select {...rest} className={clsx(fieldClass, 'h-10 appearance-none pr-9 text-ellipsis max-md:h-11')} />
      <ChevronDown
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink3"
      />
    </span>
  )
}
