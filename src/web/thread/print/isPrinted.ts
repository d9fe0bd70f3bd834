import { createContext } from 'react'

/** Below it stands what goes to paper: nothing of it can be unfolded. */
export const IsPrinted = createContext(false)
