import type { DragEvent } from 'react'
import { create } from 'zustand'

type Drag = {
  /** The conversation, and the folder that it lies in; null while none is dragged. */
  dragged: { id: string; folder_id: string | null } | null
  /** What it is held over: a folder's id, null for the place outside of them; undefined for neither. */
  over?: string | null | undefined
}
export const useDrag = create<Drag>()(() => ({ dragged: null }))

/** To be spread on the link to a conversation, which a mouse can then take into a folder or out of it. */
export const createDragProps = (id: string, folderId: string | null) => ({
  onDragStart: ({ dataTransfer }: DragEvent) => {
    dataTransfer.effectAllowed = 'move'
    useDrag.setState({ dragged: { id, folder_id: folderId } })
  },
  onDragEnd: () => useDrag.setState({ dragged: null, over: undefined }),
})
