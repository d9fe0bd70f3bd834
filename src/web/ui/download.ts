/** Saves a file under a name, as a download. */
export function download(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads the address after the click, perhaps later than the next event loop turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
