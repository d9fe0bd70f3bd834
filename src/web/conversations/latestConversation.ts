import { useState } from 'react'
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

/** The conversation to go on with in a channel: the latest one, or after `begin` a new one. Another one for each `key`. */
export function useLatestConversation(chatbot: string) {
  const { data, isPending } = useLatestSession(chatbot)
  /** Counts the conversations that were begun here. */
  const [started, setStarted] = useState(0)
  return {
    isPending,
    key: started,
    sess_id: started === 0 ? (data ?? null) : null,
    begin: () => setStarted((count) => count + 1),
  }
}
