import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** 16 px on phones: iOS zooms the page into a focused field with smaller text. */
export const fieldClass =
  'w-full rounded-[10px] border border-line2 bg-panel px-3 text-sm text-ink transition-colors max-md:text-base ' +
  'hover:border-ink3/50 focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent ' +
  'aria-invalid:border-danger disabled:opacity-45'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={clsx(fieldClass, 'h-10 max-md:h-11', className)} />
}
