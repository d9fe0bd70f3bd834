import { Link } from '@inertiajs/react'
import type { ReactNode } from 'react'
import { docsText } from '#web/text/docs/reference.ts'
import { SectionLinks, sideLinkClass, sideRowClass, type SectionLink } from '#web/ui/layout/SectionLinks.tsx'
import { SideListPage } from '#web/ui/layout/SideListPage.tsx'

type Props = {
  title: string
  lead: ReactNode
  /** The path of this page, one of `docsText.pages`. */
  path: string
  /** Shown under the pages: the sections of this one, or other links. */
  list: ReactNode
  children: ReactNode
}

/** An article for people who call models or pay for them, with the list of all such pages beside it. */
export const DocsArticle = ({ title, lead, path, list, children }: Props) => (
  <div className="mx-auto w-full max-w-6xl px-4 pt-6 pb-24 md:px-8">
    <SideListPage
      label={docsText.contents}
      list={
        <>
          <ul aria-label={docsText.pagesTitle} className={sideRowClass}>
            {docsText.pages.map(({ href, label }) => (
              <li key={href}>
                <Link href={href} aria-current={href === path ? 'page' : undefined} className={sideLinkClass}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
          <hr className="my-3 max-lg:my-1" />
          {list}
        </>
      }
    >
      <article className="max-w-3xl">
        <h1 className="text-2xl font-semibold">{title}</h1>
        <div className="mt-3 text-reading leading-reading text-ink2">{lead}</div>
        {children}
      </article>
    </SideListPage>
  </div>
)

export const ArticleSections = ({ sections }: { sections: readonly SectionLink[] }) => (
  <SectionLinks label={docsText.sections} sections={sections} className={sideRowClass} />
)
