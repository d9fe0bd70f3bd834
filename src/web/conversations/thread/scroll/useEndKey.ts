import { useEffect } from 'react'

/** Handles End wherever the focus is, except in a field with text and in a dialog. */
export function useEndKey(onEnd: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key, defaultPrevented } = event
      if (key !== 'End' || defaultPrevented || document.querySelector('dialog[open]')) return
      const field =
        target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement ? target : null
      if (field?.value) return
      event.preventDefault()
      onEnd()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}
