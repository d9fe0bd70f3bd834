import { ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { getRecentModels, ModelList, useModelChoice } from '#web/model-picker/model-picker.tsx'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { fieldClass } from '#web/ui/form/Input.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'

type Props = { model: string; error: string | undefined; onChange: (model: string) => void }

/** The model that answers, from those that can be used; one that cannot any more is named by its id. */
export function ModelField({ model, error, onChange }: Props) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpenOnPress = useRef(false)
  const { models, query } = useModelChoice(false, '')
  const chosen = models.find(({ id }) => id === model)
  const fallback = models.find(({ id }) => id === query.data?.default_model)
  const isUnusable = models.length > 0 && !chosen
  return (
    <FormField
      label={text.model}
      error={error}
      {...(query.isError ? { hint: text.modelsFailed } : {})}
      {...(isUnusable && fallback ? { hint: text.modelUnusable(fallback.name) } : {})}
    >
      {(field) => (
        <>
          <button
            {...field}
            aria-label={`${text.model}：${chosen?.name ?? model}`}
            ref={button}
            type="button"
            aria-haspopup="dialog"
            aria-expanded={open}
            // The press that closes the list from outside must not open it again with its click.
            onPointerDown={() => {
              wasOpenOnPress.current = open
            }}
            onClick={() => {
              setOpen(!wasOpenOnPress.current)
              wasOpenOnPress.current = false
            }}
            className={`${fieldClass} flex h-10 items-center gap-2 text-left max-md:h-11`}
          >
            <span className="min-w-0 flex-1 truncate">{chosen?.name ?? model}</span>
            <ChevronDown size={16} aria-hidden className="shrink-0 text-ink3" />
          </button>
          {open && (
            <ModelList
              anchor={button}
              models={models}
              recent={getRecentModels()}
              current={chosen?.id ?? null}
              guest={false}
              onChoose={(id) => {
                onChange(id)
                setOpen(false)
                button.current?.focus()
              }}
              onClose={() => setOpen(false)}
            />
          )}
        </>
      )}
    </FormField>
  )
}
