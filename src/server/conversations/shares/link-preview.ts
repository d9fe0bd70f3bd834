import type { PageProps } from '#contract/pages.ts'
import { shorten, stripMarkdown } from '#server/core/pages/link-preview.ts'
import type { LinkPreview } from '#server/core/pages/link-preview.ts'

const MAX_TITLE = 60
const MAX_DESCRIPTION = 120

/** Previews a link to a share: its title and the beginning of its first answer, which everybody with the link may read. */
export function describeShare({ shared: { title, messages } }: PageProps<'Share'>): LinkPreview {
  const answer = messages.find(({ role }) => role !== 'human')
  return {
    title: shorten(title, MAX_TITLE),
    description: shorten(stripMarkdown(answer?.text ?? messages[0]?.text ?? ''), MAX_DESCRIPTION),
  }
}
