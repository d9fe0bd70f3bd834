import { CircleStop, FileUp, Plus } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import { FileDrop, toLinkUrl, UploadRow } from '#web/files/files.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { SourceRow } from './SourceRow.tsx'
import type { Sources } from './useSources.ts'

/** What an agent answers from: files by picker and drop, web pages by their address, and how far each is. */
export function SourcePanel({ sources }: { sources: Sources }) {
  const picker = useRef<HTMLInputElement>(null)
  const { uploads, embeds, isProcessing, addFiles, retry, remove, cancelAll } = sources
  const isEmpty = !uploads.length && !embeds.length
  return (
    <div className="flex flex-col gap-3">
      <FileDrop onFiles={addFiles} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          addFiles([...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      {isEmpty ? (
        <div className="flex flex-col items-center gap-3 rounded-2xl border border-dashed border-line2 bg-fill/40 px-6 py-8 text-center">
          <FileUp size={26} strokeWidth={1.5} aria-hidden className="text-accent" />
          <div className="flex flex-wrap items-center justify-center gap-x-2.5 gap-y-2">
            <span className="text-ink2 max-md:hidden">{text.drop}</span>
            <Button variant="primary" onClick={() => picker.current?.click()}>
              {text.choose}
            </Button>
          </div>
          <p className="text-note text-pretty text-ink3">{text.formats}</p>
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
        <LinkField sources={sources} />
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

function LinkField({ sources: { isLinking, addLink } }: { sources: Sources }) {
  const [url, setUrl] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (await addLink(toLinkUrl(url))) setUrl('')
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex min-w-60 flex-1 gap-2">
      <Input
        aria-label={text.link}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        placeholder={text.linkPlaceholder}
        inputMode="url"
        autoComplete="off"
        className="min-w-0 flex-1"
      />
      <Button type="submit" className="h-10!" pending={isLinking} disabled={!url.trim()}>
        {text.addLink}
      </Button>
    </form>
  )
}
