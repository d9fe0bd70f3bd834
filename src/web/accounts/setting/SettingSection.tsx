import type { ReactNode } from 'react'

type Props = { id: string; title: string; hint?: string; children: ReactNode }

/** A part of the settings; `id` is its anchor. */
export const SettingSection = ({ id, title, hint, children }: Props) => (
  <section className="mt-10 max-w-2xl border-t pt-8 first:mt-0 first:border-0 first:pt-0">
    <h2 id={id} className="scroll-mt-6 text-base font-semibold">
      {title}
    </h2>
    {hint && <p className="mt-1.5 text-ink2">{hint}</p>}
    <div className="mt-5">{children}</div>
  </section>
)
