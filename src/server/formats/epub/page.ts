/**
 * Tells whether an item of a book is a page with text. Comics name pictures in their spine, and some name them pages: markup begins with
 * `<`, in any encoding.
 */
export const isPage = (mediaType: string | undefined, bytes: Buffer): boolean =>
  !/^(image|audio|video|font)\//.test(mediaType ?? '') &&
  /^[\s\0\xEF\xBB\xBF\xFE\xFF]*</.test(bytes.toString('latin1', 0, 1024))
