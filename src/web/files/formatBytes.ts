const UNITS = ['B', 'KB', 'MB', 'GB'] as const

/** Formats bytes in steps of 1024: `820 B`, `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  const value = bytes / 1024 ** power
  return `${power > 1 ? Math.round(value * 10) / 10 : Math.round(value)} ${UNITS[power]!}`
}
