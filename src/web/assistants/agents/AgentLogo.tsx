import { clsx } from 'clsx'
import { Bot } from 'lucide-react'

const sizes = {
  sm: 'size-8 rounded-[10px] text-sm',
  md: 'size-11 rounded-xl text-base',
  lg: 'size-14 rounded-2xl text-xl',
  xl: 'size-20 rounded-3xl text-2xl',
}

type Props = { name: string; logo: string; size?: keyof typeof sizes }

/** An agent's picture, else the first character of its name, if it has one yet. Decoration: the name stands beside it. */
export function AgentLogo({ name, logo, size = 'md' }: Props) {
  const className = clsx('shrink-0', sizes[size])
  if (logo) return <img src={logo} alt="" className={clsx(className, 'object-cover')} />
  return (
    <span
      aria-hidden
      className={clsx(className, 'grid place-items-center bg-accent-soft font-medium text-accent')}
    >
      {Array.from(name.trim())[0]?.toUpperCase() ?? <Bot size={size === 'sm' ? 18 : 24} strokeWidth={1.75} />}
    </span>
  )
}
