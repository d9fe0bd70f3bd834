import { useEffect, useRef, useState, type ReactNode } from 'react'

export type SectionLink = { id: string; title: string; mark?: ReactNode }

/** Also for page links that stand beside section links. */
export const sideLinkClass =
  'flex min-h-8 items-center gap-2 rounded-lg px-2.5 py-1 text-note text-ink2 transition-colors hover:bg-fill hover:text-ink aria-[current]:bg-fill2 aria-[current]:font-medium aria-[current]:text-ink max-lg:min-h-11'

/** A list beside a page, or where there is no room a row that scrolls sideways: lines of links would push the content down. */
export const sideRowClass =
  'flex flex-col gap-0.5 max-lg:-mx-4 max-lg:flex-row max-lg:overflow-x-auto max-lg:px-1.5 max-lg:[scrollbar-width:none] max-lg:*:shrink-0'

/** Visible part of the row before the current section's link. */
const ROW_LEAD_PX = 60

/** The part of the screen in which a section counts as current: below its top, above its middle. */
const READING_BAND = '-10% 0px -65% 0px'

/**
 * Returns the id of the current section among these; null above the first. The last sections may not reach the reading band, so a
 * section named by the address counts as current at the end of the page.
 */
function useSectionInView(ids: string): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  useEffect(() => {
    const sections = ids.split(' ').flatMap((id) => {
      const anchor = document.getElementById(id)
      return anchor ? [{ id, element: anchor.closest('section') ?? anchor }] : []
    })
    const region = sections[0]?.element.closest('[scroll-region]')
    if (!region) return
    const inBand = new Set<Element>()
    const findNamedAtEnd = () => {
      const isAtEnd = region.scrollTop > 0 && region.scrollTop + region.clientHeight > region.scrollHeight - 2
      if (!isAtEnd) return undefined
      const namedSection = sections.find(
        ({ id }) => location.hash === `#${id}` || location.hash === `#${encodeURIComponent(id)}`,
      )
      const { top } = region.getBoundingClientRect()
      return namedSection && namedSection.element.getBoundingClientRect().bottom > top
        ? namedSection
        : undefined
    }
    const update = () => {
      const section = findNamedAtEnd() ?? sections.find(({ element }) => inBand.has(element))
      if (section) setCurrent(section.id)
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inBand.add(target)
          else inBand.delete(target)
        }
        update()
      },
      { rootMargin: READING_BAND },
    )
    for (const { element } of sections) observer.observe(element)
    region.addEventListener('scroll', update, { passive: true })
    // If the page is already at its end, no scroll event occurs.
    addEventListener('hashchange', update)
    return () => {
      observer.disconnect()
      region.removeEventListener('scroll', update)
      removeEventListener('hashchange', update)
    }
  }, [ids])
  return current
}

type Props = { label: string; sections: readonly SectionLink[]; className: string }

/** Links to the sections of the page, and marks the current one. */
export function SectionLinks({ label, sections, className }: Props) {
  const current = useSectionInView(sections.map(({ id }) => id).join(' '))
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // Scrolls only sideways, where the list is a row: the page itself must not move.
    const link = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (link) list.current?.scrollTo({ left: link.offsetLeft - list.current.offsetLeft - ROW_LEAD_PX })
  }, [current])
  return (
    <ul ref={list} aria-label={label} className={className}>
      {sections.map(({ id, title, mark }) => (
        <li key={id} className="min-w-0">
          <a href={`#${id}`} aria-current={current === id ? 'location' : undefined} className={sideLinkClass}>
            {mark}
            <span className="min-w-0 truncate">{title}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
