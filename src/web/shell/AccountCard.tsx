import { Link } from '@inertiajs/react'
import { ChevronsUpDown, Settings2 } from 'lucide-react'
import { formatCoins } from '#web/core/format.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useHasSignInEnded } from '#web/core/shownUser.ts'
import { useUser } from '#web/core/user.ts'
import { shellText } from '#web/text/shell.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { useAccountMenu } from './useAccountMenu.ts'

/** Shows the signed-in person with level and balance, or a sign-in link for guests. Opens the account menu. */
export function AccountCard() {
  const visitor = useUser()
  const user = useHasSignInEnded() ? null : visitor
  const items = useAccountMenu()
  const url = usePageUrl()
  if (!user) {
    return (
      <div className="flex items-center gap-2">
        <Link href={getLoginUrl(url)} className={`${buttonClass({ variant: 'primary' })} flex-1`}>
          {shellText.login}
        </Link>
        <Menu
          placement="top-end"
          items={items}
          trigger={(props) => (
            <IconButton {...props} label={shellText.settings}>
              <Settings2 size={18} aria-hidden />
            </IconButton>
          )}
        />
      </div>
    )
  }
  return (
    <Menu
      placement="top-start"
      className="w-58"
      items={items}
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={shellText.account(user.name)}
          className="flex w-full items-center gap-2.5 rounded-[10px] p-2 text-left transition-colors hover:bg-fill aria-expanded:bg-fill2"
        >
          <Avatar name={user.name} src={user.avatar} />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium leading-5">{user.name}</span>
            <span className="block truncate text-xs text-ink2 tabular-nums">
              {user.organization?.pays
                ? shellText.organizationPays(formatCoins(user.organization.balance))
                : `${user.level_name} · ${shellText.coins(formatCoins(user.balance))}`}
            </span>
          </span>
          <ChevronsUpDown size={16} aria-hidden className="shrink-0 text-ink3" />
        </button>
      )}
    />
  )
}
