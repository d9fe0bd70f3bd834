import type { RefObject } from 'react'

type Props = {
  ref: RefObject<HTMLInputElement | null>
  onFiles: (files: File[]) => void
  /** One picture instead of any files. */
  picture?: boolean
}

/** Chooses files; unseen: a button that looks as it should clicks it by its `ref`. */
export const FileInput = ({ ref, onFiles, picture }: Props) => (
  <input
    ref={ref}
    type="file"
    multiple={!picture}
    accept={picture ? 'image/*' : undefined}
    hidden
    onChange={({ target }) => {
      onFiles([...(target.files ?? [])])
      // The same file can be chosen again.
      target.value = ''
    }}
  />
)
