/** Removes from a document's text the tags that stand for formatting (see `Segment` of the contract). */
export const toReadable = (tagged: string): string =>
  tagged
    .replace(/<\/?\d+>/g, '')
    .replace(/\s*<\d+\/>\s*/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .trim()
