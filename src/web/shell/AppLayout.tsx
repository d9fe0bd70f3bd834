import { Link, router } from '@inertiajs/react'
import { clsx } from 'clsx'
import { Menu as MenuIcon, PanelLeft, SquarePen } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { CommandLayer, useCommands } from '#web/conversations/commands/commands.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useIsHydrated, useReportHydrated } from '#web/core/useIsHydrated.ts'
import { useHasSignInEnded } from '#web/core/shownUser.ts'
import { useUser } from '#web/core/user.ts'
import { shellText } from '#web/text/shell.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { UnreadDot } from '#web/notifications/notifications.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { HeaderSlot } from './AppPage.tsx'
import { Sidebar } from './Sidebar.tsx'
import { writeSidebarHidden, readSidebarHidden } from './sidebarVisibility.ts'
import { SkipLink } from './SkipLink.tsx'
import { useIsWideScreen } from '#web/ui/useIsWideScreen.ts'

const SignInEndAlert = lazyComponent(() => import('./SignInEndAlert.tsx'), { silent: true })
// Loaded after the page itself: nobody presses a key or opens the drawer before seeing it.
const SidebarDrawer = lazyComponent(() => import('./SidebarDrawer.tsx'), {
  eager: true,
  getOnClose: ({ open, onOpenChange }) => open && (() => onOpenChange(false)),
})

/** The product's layout: sidebar on paper, the page on one inset panel. On phones the sidebar is a drawer. */
export function AppLayout({ children }: { children?: ReactNode }) {
  const isWide = useIsWideScreen()
  const { pathname } = usePageUrl()
  const isSignedIn = useUser() !== null
  const hasSignInEnded = useHasSignInEnded()
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const isHydrated = useIsHydrated()
  useReportHydrated()
  const [isPutAway, setIsHidden] = useState(readSidebarHidden)
  const isHidden = isHydrated && isPutAway
  const updateHidden = (next: boolean) => {
    writeSidebarHidden(next)
    setIsHidden(next)
  }
  useCommands({ sidebar: () => (isWide ? updateHidden(!isHidden) : setIsDrawerOpen(!isDrawerOpen)) })
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const close = () => setIsDrawerOpen(false)
    // `success` is a visit that arrived, also at the same address; `navigate` is any other change of address.
    const unsubscribes = [router.on('success', close), router.on('navigate', close)]
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }, [])
  return (
    <div className="flex h-dvh print:block print:h-auto">
      <SkipLink />
      <CommandLayer />
      {isWide || !isHydrated ? (
        !isHidden && (
          <aside
            aria-label={shellText.sidebar}
            className={clsx(
              'w-66 shrink-0 print:hidden',
              !isHydrated && 'max-md:hidden [.sidebar-hidden_&]:hidden',
            )}
          >
            <Sidebar onHide={() => updateHidden(true)} />
          </aside>
        )
      ) : (
        <SidebarDrawer open={isDrawerOpen} onOpenChange={setIsDrawerOpen} />
      )}
      <div
        className={clsx(
          'flex min-w-0 flex-1 flex-col bg-panel md:my-2 md:mr-2 md:rounded-2xl md:border print:m-0! print:block print:border-0!',
          isHidden && 'md:ml-2',
          !isHydrated && 'md:[.sidebar-hidden_&]:ml-2',
        )}
      >
        {/* On wide screens there is no bar where the page puts nothing into it. */}
        <header
          className={clsx(
            'flex h-13 shrink-0 items-center gap-1 px-2 md:px-4 print:hidden',
            isHydrated
              ? 'md:has-[>:only-child:empty]:hidden'
              : pathname !== '/chat' && 'md:hidden md:[.sidebar-hidden_&]:flex',
          )}
        >
          {!isWide && (
            <IconButton
              label={shellText.openNav}
              aria-haspopup="dialog"
              onClick={() => setIsDrawerOpen(true)}
              className={clsx('relative', !isHydrated && 'md:hidden')}
            >
              <MenuIcon size={20} aria-hidden />
              {isSignedIn && <UnreadDot />}
            </IconButton>
          )}
          {(!isHydrated || (isWide && isHidden)) && (
            <IconButton
              label={shellText.showSidebar}
              onClick={() => updateHidden(false)}
              className={isHydrated ? undefined : 'max-md:hidden [html:not(.sidebar-hidden)_&]:hidden'}
            >
              <PanelLeft size={18} aria-hidden />
            </IconButton>
          )}
          <div ref={setSlot} className="flex min-w-0 flex-1 items-center gap-1" />
          {!isWide && (
            <Link
              // A new conversation stays with the same agent, or in the comparison.
              href={/^\/(chat\/|compare)/.test(pathname) ? pathname : '/chat'}
              aria-label={shellText.newChat}
              className={`inline-flex size-11 shrink-0 items-center justify-center rounded-lg text-ink2 transition-colors hover:bg-fill hover:text-ink ${isHydrated ? '' : 'md:hidden'}`}
            >
              <SquarePen size={19} aria-hidden />
            </Link>
          )}
        </header>
        {hasSignInEnded && <SignInEndAlert />}
        <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none print:block">
          <HeaderSlot value={slot}>{children}</HeaderSlot>
        </main>
      </div>
    </div>
  )
}
