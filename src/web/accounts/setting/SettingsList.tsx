import { Link } from '@inertiajs/react'
import { getNavigation } from '#contract/pages.ts'
import { accountText } from '#web/text/account/account.ts'
import { signInText } from '#web/text/account/signIn.ts'
import { promptsText } from '#web/text/prompts.ts'
import { settingText } from '#web/text/setting.ts'
import { sharesText } from '#web/text/shares.ts'
import { SectionLinks, sideLinkClass, sideRowClass, type SectionLink } from '#web/ui/layout/SectionLinks.tsx'

const sections: SectionLink[] = [
  { id: 'profile', title: settingText.profile },
  { id: 'appearance', title: settingText.appearance },
  { id: 'chat', title: settingText.chat },
  { id: 'models', title: settingText.models },
  { id: 'sign-in', title: signInText.title },
  { id: 'sessions', title: signInText.browsers },
  { id: 'shares', title: sharesText.mine },
  { id: 'prompts', title: promptsText.ownTitle },
  { id: 'data', title: accountText.title },
]

/** The sections of the settings, and the other pages of the account. */
export const SettingsList = () => (
  <>
    <SectionLinks label={settingText.title} sections={sections} className={sideRowClass} />
    <p className="mt-5 px-2.5 pb-1 text-xs text-ink3 max-lg:hidden">{settingText.account}</p>
    <ul aria-label={settingText.account} className={sideRowClass}>
      {getNavigation('settings', true).map(({ href, label }) => (
        <li key={href}>
          <Link href={href} className={sideLinkClass}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  </>
)
