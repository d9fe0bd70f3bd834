import { CircleStop, FileUp, Plus } from 'lucide-react'
import { useRef } from 'react'
import { FileDrop, LinkField, UploadRow } from '#web/files/files.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { Button } from '#web/ui/Button.tsx'
import { FileInput } from '#web/ui/form/FileInput.tsx'
import { SourceRow } from './SourceRow.tsx'
import type { Sources } from './useSources.ts'

/** The sources of an agent and their progress; files are added by picker or drop, web pages by address. */
export function SourcePanel({ sources }: { sources: Sources }) {
  const picker = useRef<HTMLInputElement>(null)
  const { uploads, embeds, isProcessing, addFiles, addLink, retry, remove, cancelAll } = sources
  const isEmpty = !uploads.length && !embeds.length
  return (
    <div className="flex flex-col gap-3">
      <FileDrop onFiles={addFiles} />
      <FileInput ref={picker} onFiles={addFiles} />
      {isEmpty ? (
        <div className="flex flex-col items-center gap-3 rounded-2xl border border-dashed border-line2 bg-fill/40 px-6 py-8 text-center">
          <FileUp size={26} strokeWidth={1.5} aria-hidden className="text-accent" />
          <div className="flex flex-wrap items-center justify-center gap-x-2.5 gap-y-2">
            <span className="text-ink2 max-md:hidden">{text.drop}</span>
            <Button variant="primary" onClick={() => picker.current?.click()}>
              {text.choose}
            </Button>
          </div>
          <p className="text-note text-ink3">{text.formats}</p>
        </div>
      ) : (
        <ul aria-label={text.sourceList} className="divide-y rounded-xl border">
          {embeds.map((embed) => (
            <SourceRow
              key={embed.id}
              embed={embed}
              onRetry={() => void retry(embed.id)}
              onRemove={() => remove(embed.id)}
            />
          ))}
          {uploads.map((upload) => (
            <UploadRow key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {!isEmpty && (
          <Button className="h-10!" onClick={() => picker.current?.click()}>
            <Plus size={16} aria-hidden />
            {text.addFiles}
          </Button>
        )}
        <LinkField
          label={text.link}
          placeholder={text.linkPlaceholder}
          action={text.addLink}
          onAdd={addLink}
        />
        {isProcessing && (
          <Button variant="ghost" className="h-10!" onClick={() => void cancelAll()}>
            <CircleStop size={16} aria-hidden />
            {text.cancelAll}
          </Button>
        )}
      </div>
    </div>
  )
}
