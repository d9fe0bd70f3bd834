import type { DragEvent } from 'react'
import { create } from 'zustand'

type Drag = {
  /** The dragged conversation with its folder; null while none is dragged. */
  dragged: { id: string; folder_id: string | null } | null
  /** The place under the pointer: a folder's id, or null for the place outside of folders; undefined for neither. */
  over?: string | null | undefined
}
export const useDrag = create<Drag>()(() => ({ dragged: null }))

/** Props of a link to a conversation that let a mouse drag it into a folder or out of it. */
export const createDragProps = (id: string, folderId: string | null) => ({
  onDragStart: ({ dataTransfer }: DragEvent) => {
    dataTransfer.effectAllowed = 'move'
    useDrag.setState({ dragged: { id, folder_id: folderId } })
  },
  onDragEnd: () => useDrag.setState({ dragged: null, over: undefined }),
})
