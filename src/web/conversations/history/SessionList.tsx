import { useDeferredValue, useState } from 'react'
import { historyText } from '#web/text/history/history.ts'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { HistorySkeleton } from './HistorySkeleton.tsx'
import { SearchField } from './SearchField.tsx'
import { SessionGroups } from './SessionGroups.tsx'

export { SessionGroups }

const SearchResults = lazyComponent(() => import('./SearchResults.tsx'), {
  fallback: () => <HistorySkeleton />,
})

type Props = {
  /** Chatbot of the conversations; the general assistant when absent. */
  chatbot?: string
  label?: string
}

/** The person's conversations, by age or by a search. */
export default function SessionList({ chatbot, label = historyText.sessions }: Props) {
  const [typed, setTyped] = useState('')
  const keywords = useDeferredValue(typed.trim())
  return (
    <nav aria-label={label}>
      <SearchField onKeywords={setTyped} />
      {keywords ? (
        <SearchResults keywords={keywords} {...(chatbot ? { chatbot } : {})} />
      ) : (
        <SessionGroups {...(chatbot ? { chatbot } : {})} />
      )}
    </nav>
  )
}
