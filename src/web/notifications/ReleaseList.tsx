import { Markdown } from '#web/markdown/markdown.tsx'
import { messagesText as text } from '#web/text/account/notifications.ts'
import { MoreButton } from '#web/ui/layout/MoreButton.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useReleases } from './notificationCalls.ts'

/** Shows the release notes, the newest first. */
export function ReleaseList() {
  const query = useReleases()
  return (
    <section aria-label={text.releases} className="max-w-2xl">
      <QueryView query={query} failed={text.releasesFailed} skeleton={<Skeleton className="h-40" />}>
        {({ pages }) => (
          <>
            {pages
              .flatMap(({ releases }) => releases)
              .map(({ id, date, title, text: notes }) => (
                <article key={id} aria-labelledby={`release-${id}`} className="border-b py-5 first:pt-1">
                  <time dateTime={date} className="text-note text-ink3 tabular-nums">
                    {date}
                  </time>
                  <h2 id={`release-${id}`} className="mt-0.5 mb-1.5 text-base font-semibold">
                    {title}
                  </h2>
                  <Markdown text={notes} streaming={false} />
                </article>
              ))}
            <MoreButton query={query} className="mt-4">
              {text.moreReleases}
            </MoreButton>
          </>
        )}
      </QueryView>
    </section>
  )
}
