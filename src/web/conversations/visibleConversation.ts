import { useEffect } from 'react'

let visibleId: string | undefined

/** Id of the conversation on the screen, for code outside its page. */
export const getVisibleConversationId = (): string | undefined => visibleId

/** Makes `id` the visible conversation while the component is mounted. */
export function useVisibleConversation(id: string): void {
  useEffect(() => {
    visibleId = id
    return () => {
      visibleId = undefined
    }
  }, [id])
}
