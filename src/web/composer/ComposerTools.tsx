import { BookText, Globe } from 'lucide-react'
import { useConfig } from '#web/core/page.ts'
import { chatText } from '#web/text/chat.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { setWebSearch, useWebSearch } from '#web/web-search/web-search.ts'

/** What can be done with a question before it is sent: choose a prompt, search the web first. */
export function ComposerTools({ onPrompts }: { onPrompts: () => void }) {
  const { web_search } = useConfig()
  const searching = useWebSearch()
  return (
    <div className="flex items-center gap-1">
      <IconButton label={chatText.prompts} aria-haspopup="dialog" onClick={onPrompts}>
        <BookText size={17} aria-hidden />
      </IconButton>
      {web_search && (
        <button
          type="button"
          aria-pressed={searching}
          onClick={() => setWebSearch(!searching)}
          className="inline-flex h-8 items-center gap-1.5 rounded-full border border-transparent px-2.5 text-note text-ink2 transition-colors hover:bg-fill aria-pressed:border-accent/35 aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:h-11 max-md:px-3.5"
        >
          <Globe size={16} aria-hidden />
          {chatText.webSearch}
        </button>
      )}
    </div>
  )
}
