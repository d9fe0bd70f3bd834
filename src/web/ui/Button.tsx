import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

type ButtonStyle = { variant?: 'primary' | 'secondary' | 'ghost' | 'danger'; size?: 'sm' | 'md' | 'lg' }

const variants = {
  primary: 'bg-btn text-btn-ink hover:bg-btn-hover',
  secondary: 'border border-line2 bg-panel text-ink hover:bg-fill',
  ghost: 'text-ink2 hover:bg-fill hover:text-ink',
  danger: 'border border-danger/40 bg-panel text-danger hover:bg-danger-soft',
}

const sizes = {
  sm: 'h-8 px-3 text-note',
  md: 'h-9 px-4 text-sm',
  lg: 'h-11 px-5 text-reading',
}

/** Returns the classes of a button, for links that look like one. */
export function buttonClass({ variant = 'secondary', size = 'md' }: ButtonStyle = {}): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-[10px] font-medium whitespace-nowrap transition-colors select-none max-md:min-h-11',
    'disabled:pointer-events-none disabled:opacity-45',
    variants[variant],
    sizes[size],
  )
}

type Props = ComponentProps<'button'> & ButtonStyle & { pending?: boolean }

/** `pending`: the action is running; the button keeps its text and width and ignores further clicks. */
export function Button({ variant, size, pending, className, type = 'button', disabled, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      className={clsx(buttonClass({ variant, size }), pending && 'animate-shimmer', className)}
    />
  )
}
