import { type ReactNode, useId } from 'react'

type Props = { title: string; lead?: ReactNode; children: ReactNode }

/** A section of Home, with a heading in the display face. */
export function HomeSection({ title, lead, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-24 md:mt-32">
      <h2
        id={id}
        className="font-display text-title-sm leading-snug font-semibold tracking-wide md:text-title"
      >
        {title}
      </h2>
      {lead && <p className="mt-3 max-w-[42em] text-reading leading-reading text-ink2">{lead}</p>}
      <div className="mt-8">{children}</div>
    </section>
  )
}
