import type { DragEvent } from 'react'
import type { Folder } from '#contract/conversations/folders.ts'
import { moveSessions } from '#web/conversations/conversations.ts'
import { useDrag } from './dragSession.ts'

/** Makes a drop target for a folder, or with null for the place outside. It refuses conversations that are already there. */
export function useSessionDrop(to: Folder | null) {
  const { dragged, over } = useDrag()
  const place = to?.id ?? null
  const canDrop = dragged !== null && dragged.folder_id !== place
  const dropProps = canDrop && {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      useDrag.setState({ over: place })
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
        useDrag.setState({ over: undefined })
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      useDrag.setState({ dragged: null, over: undefined })
      void moveSessions({ ids: [dragged.id], folder_id: dragged.folder_id }, to)
    },
  }
  return { canDrop, isOver: canDrop && over === place, dropProps }
}

/** Classes of a drop target while a conversation is held over it. */
export const DROP_TARGET = 'bg-accent-soft outline-2 -outline-offset-2 outline-accent'
