import { useCallback, useState } from 'react'
import { request } from '#web/core/api.ts'
import { useQuery } from '#web/core/queryClient.ts'

/** The latest session of a channel, or null. It is requested once for a page, which then keeps its own. */
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
 * The conversation to continue in a channel: the latest one; after `begin` a new one; after `open` the one named. Each `key`
 * stands for another conversation.
 */
export function useLatestConversation(chatbot: string) {
  const { data, isPending } = useLatestSession(chatbot)
  /** The conversation last begun or opened here; `key` counts them. */
  const [choice, setChoice] = useState({ key: 0, sess_id: null as string | null })
  const open = useCallback(
    (sessId: string | null) => setChoice(({ key }) => ({ key: key + 1, sess_id: sessId })),
    [],
  )
  const begin = useCallback(() => open(null), [open])
  return {
    isPending,
    key: choice.key,
    sess_id: choice.key === 0 ? (data ?? null) : choice.sess_id,
    begin,
    open,
  }
}
