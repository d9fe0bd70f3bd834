import { useEffect } from 'react'

let shown: string | undefined

/** The conversation on the screen, for what stands outside of its page. */
export const conversationOnScreen = (): string | undefined => shown

/** Says which conversation is on the screen while the component is shown. */
export function useOnScreen(id: string): void {
  useEffect(() => {
    shown = id
    return () => {
      shown = undefined
    }
  }, [id])
}
