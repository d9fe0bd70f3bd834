import type { ReactNode } from 'react'

type Props = {
  /** Accessible name of the list. */
  label: string
  list: ReactNode
  children: ReactNode
}

/** A list that stays in view beside the content; above it on narrow screens. */
export const SideListPage = ({ label, list, children }: Props) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-5 lg:grid-cols-[12rem_minmax(0,1fr)]">
    <nav
      aria-label={label}
      className="self-start lg:sticky lg:top-6 lg:max-h-[calc(100dvh-4rem)] lg:overflow-y-auto lg:pb-6"
    >
      {list}
    </nav>
    <div className="min-w-0 lg:pb-[35dvh]">{children}</div>
  </div>
)
