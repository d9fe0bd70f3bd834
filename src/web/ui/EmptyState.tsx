import type { ReactNode } from 'react'

type Props = {
  icon?: ReactNode
  title: string
  /** A hint at the way out. */
  description?: string
  action?: ReactNode
  /** It is all that the page shows, so its title is the page's heading. */
  page?: boolean
}

export function EmptyState({ icon, title, description, action, page = false }: Props) {
  const Title = page ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      {icon && (
        <div aria-hidden className="mb-1 text-ink3">
          {icon}
        </div>
      )}
      <Title className="font-medium">{title}</Title>
      {description && <p className="max-w-sm text-note text-balance text-ink2">{description}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
