import type { RefObject } from 'react'

type Props = { ref: RefObject<HTMLInputElement | null>; onFiles: (files: File[]) => void }

/** Chooses files; unseen: a button that looks as it should clicks it by its `ref`. */
export const FileInput = ({ ref, onFiles }: Props) => (
  <input
    ref={ref}
    type="file"
    multiple
    hidden
    onChange={({ target }) => {
      onFiles([...(target.files ?? [])])
      // The same file can be chosen again.
      target.value = ''
    }}
  />
)
