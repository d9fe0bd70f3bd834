import type { ReactNode } from 'react'

/** The scrolling part of a page in the panel. Its scroll position is restored (Inertia's scroll regions). */
export const PageScroll = ({ children }: { children: ReactNode }) => (
  <div {...{ 'scroll-region': '' }} className="min-h-0 flex-1 overflow-y-auto print:overflow-visible">
    {children}
  </div>
)

type Props = {
  /** Stands above the content, at its left edge at every width; absent if the content has its own title. */
  title?: string
  /** At the right end of the title's line. */
  actions?: ReactNode
  children: ReactNode
}

/** The content of any page but a chat, in one column. */
export const PageBody = ({ title, actions, children }: Props) => (
  <PageScroll>
    <div className="mx-auto w-full max-w-6xl px-4 pt-2 pb-16 md:px-6 md:pt-5">
      {(title || actions) && (
        <div className="mb-3 flex min-h-11 flex-wrap items-center gap-x-1 gap-y-2">
          {title && <h1 className="mr-auto text-xl font-semibold">{title}</h1>}
          {actions}
        </div>
      )}
      {children}
    </div>
  </PageScroll>
)
