import { Link } from '@inertiajs/react'
import { getNavigation } from '#contract/pages.ts'
import { useUser } from '#web/core/user.ts'
import { shellText } from '#web/text/shell.ts'
import { homeText } from '#web/text/site/home.ts'
import { Logo } from '#web/ui/Logo.tsx'

/** Pages for programs and about the site; all other pages are for use. */
const programs = ['GatewayGuide', 'ApiReference', 'ApiKey', 'ProvisionKey']
const site = ['Charging', 'Credit', 'Partner', 'Service']

/** Links to all pages that this person can open. */
export function HomeFooter() {
  const links = getNavigation('palette', useUser() !== null)
  const groups = [
    {
      title: homeText.footerGroups.use,
      links: links.filter(({ name }) => !programs.includes(name) && !site.includes(name)),
    },
    { title: homeText.footerGroups.programs, links: links.filter(({ name }) => programs.includes(name)) },
    { title: homeText.footerGroups.site, links: links.filter(({ name }) => site.includes(name)) },
  ]
  return (
    <footer className="mt-24 border-t pt-10 md:mt-32">
      <div className="flex flex-wrap gap-x-20 gap-y-10">
        <div className="mr-auto">
          <p className="flex items-center gap-2.5 font-display text-lg font-semibold tracking-[0.18em]">
            <Logo size={28} />
            {shellText.brand}
          </p>
          <p className="mt-3 text-note text-ink3">
            {homeText.poem.join('，')}
            <br />
            {homeText.poet}
          </p>
        </div>
        <nav
          aria-label={homeText.footer}
          className="grid gap-x-16 gap-y-8 max-md:grid-cols-2 max-md:gap-x-10 md:flex"
        >
          {groups.map((group) => (
            <div key={group.title}>
              <h2 className="mb-2 text-note text-ink3">{group.title}</h2>
              <ul className={group.links.length > 8 ? 'columns-2 gap-x-10' : ''}>
                {group.links.map(({ href, label }) => (
                  <li key={href}>
                    <Link
                      href={href}
                      className="flex min-h-8 items-center text-note text-ink2 hover:text-ink max-md:min-h-11"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  )
}
