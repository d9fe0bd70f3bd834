import { BookText, Globe, Lightbulb, Paperclip } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import type { ChatModel } from '#contract/models.ts'
import { chatText } from '#web/text/chat.ts'
import { FileInput } from '#web/ui/form/FileInput.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { setWebSearch, useWebSearch } from '#web/conversations/web-search/web-search.ts'
import { setThinking, useThinking } from './useThinking.ts'

type Props = {
  /** The chosen model's `thinking`, which says if it can be switched. */
  thinking: ChatModel['thinking']
  /** The web can be searched before answering. */
  web_search: boolean
  onPrompts: () => void
  /** Null where files are not allowed. */
  onFiles: ((files: File[]) => void) | null
}

/** Options of a question before it is sent: files, a prompt, web search, thinking. */
export function ComposerTools({ thinking, web_search, onPrompts, onFiles }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  const isSearching = useWebSearch()
  const isThinking = useThinking()
  return (
    <div className="flex items-center gap-1 max-md:gap-0">
      {onFiles && (
        <>
          <FileInput ref={picker} onFiles={onFiles} />
          <IconButton label={chatText.attach} onClick={() => picker.current?.click()}>
            <Paperclip size={17} aria-hidden />
          </IconButton>
        </>
      )}
      <IconButton label={chatText.prompts} aria-haspopup="dialog" onClick={onPrompts}>
        <BookText size={17} aria-hidden />
      </IconButton>
      {web_search && (
        <Switch label={chatText.webSearch} isOn={isSearching} onSwitch={setWebSearch}>
          <Globe size={16} aria-hidden />
        </Switch>
      )}
      {thinking === 'switch' && (
        <Switch label={chatText.thinking} isOn={isThinking} onSwitch={setThinking}>
          <Lightbulb size={16} aria-hidden />
        </Switch>
      )}
    </div>
  )
}

type SwitchProps = { label: string; isOn: boolean; onSwitch: (on: boolean) => void; children: ReactNode }

/** A toggle button, pressed while its option is on. */
function Switch({ label, isOn, onSwitch, children }: SwitchProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={() => onSwitch(!isOn)}
      className="inline-flex h-8 items-center gap-1.5 rounded-full border border-transparent px-2.5 text-note whitespace-nowrap text-ink2 transition-colors hover:bg-fill aria-pressed:border-accent/35 aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:h-11 max-md:px-3"
    >
      {children}
      <span className="max-md:sr-only">{label}</span>
    </button>
  )
}
