let words: readonly string[] = []

/** Stores the search words that led to a message. */
export const setSearchedWords = (keywords: string): void => {
  words = keywords.toLowerCase().split(/\s+/).filter(Boolean)
}

/** The words in lower case; empty when no search led here. */
export const getSearchedWords = (): readonly string[] => words
