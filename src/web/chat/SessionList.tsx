import { useDeferredValue, useState } from 'react'
import { chatText } from '../text/chat.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { ListSkeleton } from './ListSkeleton.tsx'
import { SearchField } from './SearchField.tsx'
import { SessionGroups } from './SessionGroups.tsx'

const SearchResults = lazyPart(() => import('./SearchResults.tsx'), { fallback: () => <ListSkeleton /> })

/** The person's conversations in the sidebar: by age, or those in which a word is found. */
export default function SessionList() {
  const [typed, setTyped] = useState('')
  const keywords = useDeferredValue(typed.trim())
  return (
    <nav aria-label={chatText.sessions}>
      <SearchField onKeywords={setTyped} />
      {keywords ? <SearchResults keywords={keywords} /> : <SessionGroups />}
    </nav>
  )
}
