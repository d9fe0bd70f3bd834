import { Link } from '@inertiajs/react'
import { Settings2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { getNavigation } from '#contract/pages.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { shellText } from '#web/text/shell.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { CommandLayer } from '#web/commands/commands.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { SkipLink } from './SkipLink.tsx'
import { useAccountMenu } from './useAccountMenu.ts'

/** The layout of the pages around the product: a quiet top bar, and the page on paper. */
export function SiteLayout({ children }: { children?: ReactNode }) {
  const user = useUser()
  const items = useAccountMenu()
  const url = usePageUrl()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <CommandLayer />
      <header className="mx-auto flex h-16 w-full max-w-6xl shrink-0 items-center gap-1 px-4 md:px-8">
        <Link href="/" className="mr-auto flex h-11 items-center gap-2.5 rounded-lg text-base font-semibold">
          <Logo />
          {shellText.brand}
        </Link>
        <nav aria-label={shellText.mainNav} className="flex items-center gap-1">
          {/* Where there is room for them; on phones the pages themselves lead there. */}
          {getNavigation('header', user !== null).map(({ href, label }) => (
            <Link key={href} href={href} className={`${buttonClass({ variant: 'ghost' })} max-md:hidden!`}>
              {label}
            </Link>
          ))}
          {user ? (
            <Link href="/chat" className={buttonClass({ variant: 'ghost' })}>
              {shellText.chat}
            </Link>
          ) : (
            <Link href={getLoginUrl(url)} className={buttonClass({ variant: 'ghost' })}>
              {shellText.login}
            </Link>
          )}
        </nav>
        <Menu
          placement="bottom-end"
          items={items}
          trigger={(props) => (
            <IconButton {...props} label={shellText.settings}>
              <Settings2 size={18} aria-hidden />
            </IconButton>
          )}
        />
      </header>
      <main id="content" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {children}
      </main>
    </div>
  )
}
