let words: readonly string[] = []

/** What was sought when a search led to a message. */
export const setSearchedWords = (keywords: string): void => {
  words = keywords.toLowerCase().split(/\s+/).filter(Boolean)
}

/** In lower case; none when no search led here. */
export const getSearchedWords = (): readonly string[] => words
