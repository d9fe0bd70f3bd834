import { createContext } from 'react'

/** The models of the comparison that is shown: no other column can be one of them. */
export const ChosenModels = createContext<readonly string[]>([])
