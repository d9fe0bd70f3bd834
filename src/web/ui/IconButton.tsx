import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** The accessible name; also shown as the tooltip. */
  label: string
  size?: 'sm' | 'md'
}

/** A square button that holds one icon (16–18 px). On phones its target is 44 px. */
export function IconButton({ label, size = 'md', className, type = 'button', ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      data-tooltip={label}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center rounded-lg text-ink2 transition-colors hover:bg-fill hover:text-ink',
        'disabled:pointer-events-none disabled:opacity-45 max-md:size-11',
        size === 'sm' ? 'size-7' : 'size-9',
        className,
      )}
    />
  )
}
