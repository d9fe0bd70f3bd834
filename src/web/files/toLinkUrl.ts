/** The address of a link as people type it: without a scheme it is a web page's. */
export const toLinkUrl = (typed: string): string =>
  /^[a-z]+:\/\//i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`
