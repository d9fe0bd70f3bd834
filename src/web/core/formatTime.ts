/** Formats a duration: `1:05`, from an hour on `1:02:05`. */
export function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const pad = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  return `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`
}
