import { createContext } from 'react'

/** The models that already have a column, so that no other column can get them. */
export const ChosenModels = createContext<readonly string[]>([])
