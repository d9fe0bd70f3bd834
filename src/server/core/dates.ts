/** `2026-11-21`: a day begins at midnight in China, where the people are. */
export const toChinaDay = (at: Date): string =>
  new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
