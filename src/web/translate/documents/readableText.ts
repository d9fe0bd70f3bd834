/** A text of a document as people read it: without the tags for what is no text (see `Segment` of the contract). */
export const toReadable = (tagged: string): string =>
  tagged
    .replace(/<\/?\d+>/g, '')
    .replace(/\s*<\d+\/>\s*/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .trim()
