import { ChevronDown } from 'lucide-react'
import { ModelMenu, useModelChoice } from '#web/conversations/model-picker/model-picker.tsx'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { fieldClass } from '#web/ui/form/Input.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'

type Props = { model: string; error: string | undefined; onChange: (model: string) => void }

/** The answering model, chosen from the usable ones; one that has become unusable is shown by its id. */
export function ModelField({ model, error, onChange }: Props) {
  const { models, query } = useModelChoice(false, '')
  const currentModel = models.find(({ id }) => id === model)
  const fallback = models.find(({ id }) => id === query.data?.default_model)
  const isUnusable = models.length > 0 && !currentModel
  return (
    <FormField
      label={text.model}
      error={error}
      {...(query.isError ? { hint: text.modelsFailed } : {})}
      {...(isUnusable && fallback ? { hint: text.modelUnusable(fallback.name) } : {})}
    >
      {(field) => (
        <ModelMenu
          models={models}
          current={currentModel?.id ?? null}
          onChoose={onChange}
          trigger={(trigger) => (
            <button
              {...field}
              {...trigger}
              type="button"
              aria-label={`${text.model}：${currentModel?.name ?? model}`}
              className={`${fieldClass} flex h-10 items-center gap-2 text-left max-md:h-11`}
            >
              <span className="min-w-0 flex-1 truncate">{currentModel?.name ?? model}</span>
              <ChevronDown size={16} aria-hidden className="shrink-0 text-ink3" />
            </button>
          )}
        />
      )}
    </FormField>
  )
}
