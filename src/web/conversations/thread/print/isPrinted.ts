import { createContext } from 'react'

/** True for printed content, in which nothing can be unfolded. */
export const IsPrinted = createContext(false)
