import { router } from '@inertiajs/react'
import { clsx } from 'clsx'
import { Menu as MenuIcon, PanelLeft } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useCommands } from '../shortcuts/handlers.ts'
import { shellText } from '../text/shell.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { HeaderSlot } from './Shell.tsx'
import { Sidebar } from './Sidebar.tsx'
import { keepSidebarHidden, sidebarHidden } from './sidebarHidden.ts'
import { SkipLink } from './SkipLink.tsx'
import { useWide } from './useWide.ts'

// After the page itself: nobody presses a key, or opens the drawer, before they see it.
const Drawer = lazyPart(() => import('./Drawer.tsx'), {
  now: true,
  close: ({ open, onOpenChange }) => open && (() => onOpenChange(false)),
})
const Shortcuts = lazyPart(() => import('../shortcuts/Shortcuts.tsx'), { quiet: true })

/** The product's layout: sidebar on paper, the page on one inset panel. On phones the sidebar is a drawer. */
export function Frame({ children }: { children?: ReactNode }) {
  const wide = useWide()
  const [drawer, setDrawer] = useState(false)
  const [hidden, setHidden] = useState(sidebarHidden)
  const hide = (next: boolean) => {
    keepSidebarHidden(next)
    setHidden(next)
  }
  useCommands({ sidebar: () => (wide ? hide(!hidden) : setDrawer(!drawer)) })
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const close = () => setDrawer(false)
    // `success` is a visit that arrived, also at the address shown already; `navigate` any other change of address.
    const stops = [router.on('success', close), router.on('navigate', close)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return (
    <div className="flex h-dvh">
      <SkipLink />
      <Shortcuts />
      {wide ? (
        !hidden && (
          <aside aria-label={shellText.sidebar} className="w-66 shrink-0">
            <Sidebar onHide={() => hide(true)} />
          </aside>
        )
      ) : (
        <Drawer open={drawer} onOpenChange={setDrawer} />
      )}
      <div
        className={clsx(
          'flex min-w-0 flex-1 flex-col bg-panel md:my-2 md:mr-2 md:rounded-2xl md:border',
          hidden && 'md:ml-2',
        )}
      >
        <header className="flex h-13 shrink-0 items-center gap-1 px-2 md:px-4">
          {!wide && (
            <IconButton label={shellText.openNav} aria-haspopup="dialog" onClick={() => setDrawer(true)}>
              <MenuIcon size={20} aria-hidden />
            </IconButton>
          )}
          {wide && hidden && (
            <IconButton label={shellText.showSidebar} onClick={() => hide(false)}>
              <PanelLeft size={18} aria-hidden />
            </IconButton>
          )}
          <div ref={setSlot} className="flex min-w-0 flex-1 items-center gap-1" />
        </header>
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
          <HeaderSlot value={slot}>{children}</HeaderSlot>
        </main>
      </div>
    </div>
  )
}
