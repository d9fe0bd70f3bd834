import type { DragEvent } from 'react'
import type { Folder } from '#contract/conversations/folders.ts'
import { moveSessions } from '#web/conversations/conversations.ts'
import { useDrag } from './dragSession.ts'

/** What an element needs to take conversations into a folder, or with null out of theirs. It takes none that lies there already. */
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

/** The look of what would take the conversation that is held over it. */
export const DROP_TARGET = 'bg-accent-soft outline-2 -outline-offset-2 outline-accent'
