import { useCallback, useState } from 'react'
import { request } from '#web/core/api.ts'
import { useQuery } from '#web/core/queryClient.ts'

/** The conversation that was held last in a channel, null where none was. Asked once for a page: it goes on by itself. */
const useLatestSession = (chatbot: string) =>
  useQuery({
    queryKey: ['chat', 'latest', chatbot],
    queryFn: async ({ signal }) => {
      const { items } = await request('GET /api/chat/sessions', { query: { chatbot } }, { signal })
      return items[0]?.id ?? null
    },
    staleTime: Infinity,
    gcTime: 0,
  })

/**
 * The conversation to go on with in a channel: the latest one, after `begin` a new one, after `open` the one named. Another one
 * for each `key`.
 */
export function useLatestConversation(chatbot: string) {
  const { data, isPending } = useLatestSession(chatbot)
  /** What was begun or opened here last; `key` counts. */
  const [chosen, setChosen] = useState({ key: 0, sess_id: null as string | null })
  const open = useCallback(
    (sessId: string | null) => setChosen(({ key }) => ({ key: key + 1, sess_id: sessId })),
    [],
  )
  const begin = useCallback(() => open(null), [open])
  return {
    isPending,
    key: chosen.key,
    sess_id: chosen.key === 0 ? (data ?? null) : chosen.sess_id,
    begin,
    open,
  }
}
