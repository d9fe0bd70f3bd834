import { useDeferredValue, useState } from 'react'
import { historyText } from '#web/text/history.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { HistorySkeleton } from './HistorySkeleton.tsx'
import { SearchField } from './SearchField.tsx'
import { SessionGroups } from './SessionGroups.tsx'

export { SessionGroups }

const SearchResults = lazyComponent(() => import('./SearchResults.tsx'), {
  fallback: () => <HistorySkeleton />,
})

/** The person's conversations in the sidebar: by age, or those in which a word is found. */
export default function SessionList() {
  const [typed, setTyped] = useState('')
  const keywords = useDeferredValue(typed.trim())
  return (
    <nav aria-label={historyText.sessions}>
      <SearchField onKeywords={setTyped} />
      {keywords ? <SearchResults keywords={keywords} /> : <SessionGroups />}
    </nav>
  )
}
