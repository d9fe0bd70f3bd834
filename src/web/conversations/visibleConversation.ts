import { useEffect } from 'react'

let visibleId: string | undefined

/** The conversation on the screen, for what stands outside of its page. */
export const getVisibleConversationId = (): string | undefined => visibleId

/** Says which conversation is on the screen while the component is shown. */
export function useVisibleConversation(id: string): void {
  useEffect(() => {
    visibleId = id
    return () => {
      visibleId = undefined
    }
  }, [id])
}
