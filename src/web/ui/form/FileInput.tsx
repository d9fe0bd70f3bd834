import type { RefObject } from 'react'

type Props = {
  ref: RefObject<HTMLInputElement | null>
  onFiles: (files: File[]) => void
  /** Accepts a single picture instead of any files. */
  picture?: boolean
}

/** An invisible file chooser, clicked through its `ref` by a visible button. */
export const FileInput = ({ ref, onFiles, picture }: Props) => (
  <input
    ref={ref}
    type="file"
    multiple={!picture}
    accept={picture ? 'image/*' : undefined}
    hidden
    onChange={({ target }) => {
      onFiles([...(target.files ?? [])])
      // Allows choosing the same file again.
      target.value = ''
    }}
  />
)
