import { useId } from 'react'
import type { TargetLanguage } from '#contract/translate/languages.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { languages, updateSettings } from './settings.ts'

/** Chooses the target language, which is remembered. */
export function TargetSelect({ target }: { target: TargetLanguage }) {
  const id = useId()
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <label htmlFor={id} className="shrink-0 text-note text-ink3 max-sm:sr-only">
        {text.target}
      </label>
      <Select
        id={id}
        value={target}
        onChange={(event) => updateSettings({ target: event.target.value as TargetLanguage })}
        className="min-w-0 [&>select]:h-9 [&>select]:border-transparent [&>select]:bg-transparent [&>select]:font-medium max-md:[&>select]:h-11"
      >
        {languages.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
    </span>
  )
}
