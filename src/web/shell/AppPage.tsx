import { Head } from '@inertiajs/react'
import { createContext, use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** The element in the frame's top bar that shows the page's own header. */
export const HeaderSlot = createContext<HTMLElement | null>(null)

type Props = {
  /** Title of the browser tab; absent: the brand alone. */
  title?: string
  /** Shown in the top bar, beside the button that opens the navigation on phones. */
  header?: ReactNode
  children: ReactNode
}

/**
 * Renders a page of the product: its title, its part of the top bar, and its content, which fills the panel. The frame around it
 * (sidebar, panel) is the page's persistent layout and stays mounted between pages.
 */
export function AppPage({ title, header, children }: Props) {
  const slot = use(HeaderSlot)
  return (
    <>
      <Head title={title} />
      {slot && header && createPortal(header, slot)}
      {children}
    </>
  )
}
