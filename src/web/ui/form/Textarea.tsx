import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { fieldClass } from './Input.tsx'

/** Grows with its text where the browser can (`field-sizing`), between `rows` and half of the screen. */
export function Textarea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...rest}
      rows={rows}
      className={clsx(
        fieldClass,
        'field-sizing-content max-h-[50dvh] resize-y py-2 leading-relaxed',
        className,
      )}
    />
  )
}
