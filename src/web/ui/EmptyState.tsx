import type { ReactNode } from 'react'

type Props = {
  icon?: ReactNode
  title: string
  /** What to do about it. */
  description?: string
  action?: ReactNode
}

export function EmptyState({ icon, title, description, action }: Props) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      {icon && (
        <div aria-hidden className="mb-1 text-ink3">
          {icon}
        </div>
      )}
      <p className="font-medium">{title}</p>
      {description && <p className="max-w-sm text-note text-ink2">{description}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
