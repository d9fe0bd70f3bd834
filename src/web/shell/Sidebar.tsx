import { Link } from '@inertiajs/react'
import { PanelLeft, SquarePen } from 'lucide-react'
import { getNavigation } from '#contract/pages.ts'
import { usePageUrl } from '../core/page.ts'
import { useUser } from '../core/user.ts'
import { shellText } from '../text/shell.ts'
import { buttonClass } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { SessionList } from '#web/history/history.ts'
import { Logo } from '../ui/Logo.tsx'
import { AccountCard } from './AccountCard.tsx'
import { PageIcon } from './PageIcon.tsx'

/** Brand, new conversation, links to pages, the conversations, and who is signed in. */
export function Sidebar({ onHide }: { onHide?: () => void }) {
  const { pathname } = usePageUrl()
  const links = getNavigation('sidebar', useUser() !== null)
  return (
    <div className="flex h-full flex-col px-2.5 pt-2 pb-2.5">
      <div className="flex items-center justify-between">
        <Link href="/" className="flex h-11 items-center gap-2.5 rounded-lg px-2 text-base font-semibold">
          <Logo />
          {shellText.brand}
        </Link>
        {onHide && (
          <IconButton label={shellText.hideSidebar} onClick={onHide}>
            <PanelLeft size={18} aria-hidden />
          </IconButton>
        )}
      </div>
      <Link href="/chat" className={`${buttonClass()} mt-1.5 mb-2.5 justify-start! px-3! font-normal!`}>
        <SquarePen size={17} aria-hidden />
        {shellText.newChat}
      </Link>
      <nav aria-label={shellText.mainNav}>
        <ul className="flex flex-col gap-0.5">
          {links.map(({ href, label, icon }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={pathname.startsWith(href) ? 'page' : undefined}
                className="flex h-9 items-center gap-2.5 rounded-[10px] px-3 text-ink2 transition-colors hover:bg-fill aria-[current]:bg-fill2 aria-[current]:text-ink max-md:h-11"
              >
                <PageIcon name={icon} size={17} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="-mx-2.5 my-2 min-h-0 flex-1 overflow-y-auto px-2.5">
        <SessionList />
      </div>
      <AccountCard />
    </div>
  )
}
