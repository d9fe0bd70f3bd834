import { FormField } from '#web/ui/form/FormField.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { parseCount } from './amounts.ts'

type Props = {
  label: string
  hint?: string
  errorText: string
  value: string
  max?: number
  onChange: (value: string) => void
  /** Common values, as buttons below the field; `presetsLabel` names them. */
  presets?: string[]
  presetsLabel?: string
}

/** A field for a count, typed with or without a unit. */
export function CountField({
  label,
  hint,
  errorText,
  value,
  max,
  onChange,
  presets = [],
  presetsLabel,
}: Props) {
  return (
    <div>
      <FormField label={label} hint={hint} error={parseCount(value, max) === null ? errorText : undefined}>
        {(field) => (
          <Input
            {...field}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className="tabular-nums"
          />
        )}
      </FormField>
      {presets.length > 0 && (
        <div role="group" aria-label={presetsLabel} className="mt-1.5 flex flex-wrap gap-1.5">
          {presets.map((preset) => (
            <button
              key={preset}
              type="button"
              aria-pressed={parseCount(preset) === parseCount(value)}
              onClick={() => onChange(preset)}
              className="h-7 rounded-full border px-2.5 text-xs text-ink2 tabular-nums transition-colors hover:bg-fill aria-pressed:bg-fill2 aria-pressed:text-ink max-md:h-11 max-md:min-w-11 max-md:px-4 max-md:text-note"
            >
              {preset}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
