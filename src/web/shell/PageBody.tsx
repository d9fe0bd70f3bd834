import type { ReactNode } from 'react'

/** The scrolling part of a page in the panel. Its place is kept when the person comes back (Inertia's scroll regions). */
export function PageBody({ children }: { children: ReactNode }) {
  return (
    <div {...{ 'scroll-region': '' }} className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto w-full max-w-6xl px-4 pt-2 pb-16 md:px-6">{children}</div>
    </div>
  )
}
