import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { chatText } from '../text/chat.ts'
import { ListSkeleton } from './ListSkeleton.tsx'
import { SearchField } from './SearchField.tsx'
import { SessionGroups } from './SessionGroups.tsx'

const SearchResults = lazy(() => import('./SearchResults.tsx'))

/** The person's conversations in the sidebar: by age, or those in which a word is found. */
export function SessionList() {
  const [typed, setTyped] = useState('')
  const keywords = useDeferredValue(typed.trim())
  return (
    <nav aria-label={chatText.sessions}>
      <SearchField onKeywords={setTyped} />
      {keywords ? (
        <Suspense fallback={<ListSkeleton />}>
          <SearchResults keywords={keywords} />
        </Suspense>
      ) : (
        <SessionGroups />
      )}
    </nav>
  )
}
