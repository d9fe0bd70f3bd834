import { Link } from '@inertiajs/react'
import { PanelLeft, SquarePen } from 'lucide-react'
import { getNavigation } from '#contract/pages.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { shellText } from '#web/text/shell.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { SessionList } from '#web/conversations/history/history.ts'
import { NotificationBell } from '#web/notifications/notifications.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { AccountCard } from './AccountCard.tsx'
import { sidebarIcons } from '#web/ui/layout/sidebarIcons.ts'

const linkClass =
  'flex h-9 items-center rounded-[10px] px-3 text-ink2 transition-colors hover:bg-fill aria-[current]:text-ink aria-[current=page]:bg-fill2 max-md:h-11'

/** Shows brand, new conversation, page links, conversations, and account. */
export function Sidebar({ onHide }: { onHide?: () => void }) {
  const { pathname } = usePageUrl()
  const isSignedIn = useUser() !== null
  const apiLinks = getNavigation('api', isSignedIn)
  const isCurrent = (href: string) => pathname === href || pathname.startsWith(`${href}/`)
  const isInApi = apiLinks.some(({ href }) => isCurrent(href))
  return (
    <div className="flex h-full flex-col px-2.5 pt-2 pb-2.5">
      <div className="flex items-center justify-between">
        <Link
          href="/"
          className="flex h-11 items-center gap-2.5 rounded-lg px-2 font-display text-lg font-semibold tracking-[0.14em]"
        >
          <Logo />
          {shellText.brand}
        </Link>
        <div className="flex items-center">
          {isSignedIn && <NotificationBell />}
          {onHide && (
            <IconButton label={shellText.hideSidebar} onClick={onHide}>
              <PanelLeft size={18} aria-hidden />
            </IconButton>
          )}
        </div>
      </div>
      <Link href="/chat" className={`${buttonClass()} mt-1.5 mb-2.5 justify-start! px-3! font-normal!`}>
        <SquarePen size={17} aria-hidden />
        {shellText.newChat}
      </Link>
      <nav aria-label={shellText.mainNav}>
        {(['sidebar', 'platform'] as const).map((place) => (
          <ul
            key={place}
            aria-label={shellText.navGroups[place]}
            // On a phone in two columns, to leave room for the conversations below.
            className="grid gap-0.5 not-first:mt-2 not-first:border-t not-first:pt-2 max-md:grid-cols-2"
          >
            {getNavigation(place, isSignedIn).map(({ href, label, icon }) => {
              const Icon = sidebarIcons[icon as keyof typeof sidebarIcons]
              const isApi = isInApi && apiLinks.some((link) => link.href === href)
              return (
                <li key={href} className={isApi ? 'col-span-full' : undefined}>
                  <Link
                    href={href}
                    aria-current={isApi ? 'true' : isCurrent(href) ? 'page' : undefined}
                    className={`${linkClass} gap-2.5`}
                  >
                    <Icon size={17} aria-hidden />
                    {label}
                  </Link>
                  {isApi && (
                    <ul
                      aria-label={label}
                      className="my-0.5 ml-5 grid gap-0.5 border-l pl-2 max-md:grid-cols-2"
                    >
                      {apiLinks.map((link) => (
                        <li key={link.href}>
                          <Link
                            href={link.href}
                            aria-current={isCurrent(link.href) ? 'page' : undefined}
                            className={`${linkClass} text-note`}
                          >
                            {link.label}
                          </Link>
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              )
            })}
          </ul>
        ))}
      </nav>
      <div className="-mx-2.5 my-2 min-h-0 flex-1 overflow-y-auto px-2.5">
        <SessionList />
      </div>
      <AccountCard />
    </div>
  )
}
