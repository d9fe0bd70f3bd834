import { useEffect } from 'react'

let visibleId: string | undefined

/** The conversation on the screen, for what lies outside its page. */
export const getVisibleConversationId = (): string | undefined => visibleId

/** Makes `id` the visible conversation while the component is shown. */
export function useVisibleConversation(id: string): void {
  useEffect(() => {
    visibleId = id
    return () => {
      visibleId = undefined
    }
  }, [id])
}
