import { clsx } from 'clsx'

const sizes = { sm: 'size-8 text-sm', lg: 'size-20 text-2xl' }

type Props = { name: string; src: string; size?: keyof typeof sizes }

/** Shows a person's picture, or the first character of the name. Decorative: the name stands beside it. */
export function Avatar({ name, src, size = 'sm' }: Props) {
  const className = clsx('shrink-0 rounded-full', sizes[size])
  if (src) return <img src={src} alt="" className={className} />
  return (
    <span
      aria-hidden
      className={clsx(className, 'grid place-items-center bg-accent-soft font-medium text-accent')}
    >
      {Array.from(name)[0]?.toUpperCase()}
    </span>
  )
}
