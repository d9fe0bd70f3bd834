import type { ReactNode } from 'react'

/** A section of an article; `id` is its anchor. */
export function ArticleSection({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section className="mt-12">
      <h2 id={id} className="scroll-mt-6 text-lg font-semibold">
        {title}
      </h2>
      <div className="mt-4 flex flex-col gap-5">{children}</div>
    </section>
  )
}

export function BulletList({ lines }: { lines: string[] }) {
  return (
    <ul className="flex list-disc flex-col gap-2 pl-5 leading-reading text-ink2 marker:text-ink3">
      {lines.map((line) => (
        <li key={line} className="break-words">
          {line}
        </li>
      ))}
    </ul>
  )
}
