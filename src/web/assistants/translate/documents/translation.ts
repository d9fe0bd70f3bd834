import { useEffect } from 'react'
import type { TranslatedText, TranslationResult } from '#contract/translate/translation.ts'
import { request } from '#web/core/api.ts'
import { queryClient, useInfiniteQuery, useQuery } from '#web/core/queryClient.ts'
import { isRunning as isTaskRunning, tasksKey } from '#web/tasks/tasks.ts'

const POLL_MS = 1_000
/** Behind every text, so that the answer contains none of them. */
const AFTER_ALL = 10_000_000

const toKey = (id: string) => [...tasksKey, 'translation', id] as const

/** Loads a translation's task and report, live while it runs. `translation` is null if deleted, or for another kind of task. */
export const useTranslation = (id: string) =>
  useQuery({
    queryKey: toKey(id),
    queryFn: async ({ signal }) => {
      const input = { params: { id }, query: { after: AFTER_ALL } }
      const { task, data } = await request('GET /api/task/{id}/result', input, { signal })
      return { task, translation: data?.kind === 'translation' ? data : null }
    },
    refetchInterval: ({ state: { data } }) => (data && isTaskRunning(data.task) ? POLL_MS : false),
  })

type TextPage = { items: TranslatedText[]; has_more: boolean }

/** A text with a problem is translated a second time, and may improve. */
const isTranslated = ({ translation, problem }: TranslatedText) => translation !== null && problem === null

/**
 * Loads the texts of a translation from its beginning, page by page. As more texts are translated, and at the end, pages with
 * untranslated texts are loaded again.
 */
export function useTexts(
  id: string,
  { segments, translated, failed }: TranslationResult,
  isRunning: boolean,
) {
  const queryKey = [...toKey(id), 'texts']
  const query = useInfiniteQuery<TextPage, number>({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const cachedPages = queryClient.getQueryData<{ pages: TextPage[]; pageParams: number[] }>(queryKey)
      const page = cachedPages?.pages[cachedPages.pageParams.indexOf(pageParam)]
      if (page?.items.length && page.items.every(isTranslated)) return page
      const input = { params: { id }, query: { after: pageParam } }
      const { data } = await request('GET /api/task/{id}/result', input, { signal })
      return data?.kind === 'translation'
        ? { items: data.items, has_more: data.has_more }
        : { items: [], has_more: false }
    },
    initialPageParam: 0,
    getNextPageParam: ({ items, has_more }) => (has_more ? (items.at(-1)?.n ?? null) : null),
  })
  const { refetch } = query
  useEffect(() => void refetch(), [refetch, segments, translated, failed, isRunning])
  return query
}
