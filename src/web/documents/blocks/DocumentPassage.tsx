import { useMemo } from 'react'
import { parsePassageSpan } from '#contract/documents/passages.ts'
import { useBlock } from '#web/files/files.ts'
import { blocksText } from '#web/text/blocks.ts'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { DocumentView } from './DocumentView.tsx'

/** A document of the person's, opened at the passage that `url` names, an address of its page. Fills its frame. */
export function DocumentPassage({ id, url }: { id: string; url: string }) {
  const query = useBlock(id)
  const target = useMemo(() => parsePassageSpan(new URL(url, location.origin).searchParams), [url])
  return (
    <QueryView query={query} failed={blocksText.loadFailed} skeleton={<Skeleton className="m-4 h-24" />}>
      {(block) => <DocumentView block={block} target={target} />}
    </QueryView>
  )
}
