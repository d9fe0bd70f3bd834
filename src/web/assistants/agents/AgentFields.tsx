import { Sparkles } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useUser } from '#web/core/user.ts'
import { PictureField } from '#web/files/files.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { Button } from '#web/ui/Button.tsx'
import { SelectField, TextareaField, TextField } from '#web/ui/form/fields.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { toast } from '#web/ui/toast.ts'
import { withToast } from '#web/ui/withToast.ts'
import { AgentLogo } from './AgentLogo.tsx'
import { MAX_NAME_CHARS } from './formFields.ts'
import { generateSamples, generateSystemPrompt } from './generate.ts'
import { ModelField } from './ModelField.tsx'
import { useCategories } from './queries.ts'
import type { AgentForm } from './useAgentForm.ts'

type Props = { form: AgentForm }

/** Name, picture and purpose of an agent. */
export function BasicFields({ form }: Props) {
  const { name, logo } = form.data
  return (
    <>
      <PictureField
        label={text.logo}
        renderPicture={(url) => <AgentLogo name={name} logo={url} size="xl" />}
        value={logo}
        onChange={form.saveLogo}
      />
      <TextField form={form} name="name" label={text.name} maxLength={MAX_NAME_CHARS} autoComplete="off" />
      <TextareaField
        form={form}
        name="desc"
        label={text.desc}
        placeholder={text.descHint}
        rows={2}
        maxLength={500}
      />
    </>
  )
}

/** The answering model, how closely it keeps to the sources, and its system prompt. */
export function AnswerFields({ form }: Props) {
  const { data, errors, setData } = form
  const generation = useGeneration(form, async () => ({ system_prompt: await generateSystemPrompt(data) }))
  return (
    <>
      <ModelField model={data.model} error={errors.model} onChange={(model) => setData({ model })} />
      <fieldset>
        <legend className="mb-1.5 text-note font-medium">{text.chatLevel}</legend>
        <div className="grid grid-cols-2 gap-2.5 max-sm:grid-cols-1">
          {text.chatLevels.map(({ value, label, hint }) => (
            <label
              key={value}
              className="flex cursor-pointer items-start gap-2.5 rounded-xl border border-line2 px-3.5 py-2.5 transition-colors hover:bg-fill/60 has-checked:border-btn has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="chat_level"
                checked={data.chat_level === value}
                onChange={() => setData({ chat_level: value })}
                className="mt-1 size-4 shrink-0 accent-btn outline-none"
              />
              <span>
                <span className="block font-medium">{label}</span>
                <span className="block text-note text-ink3">{hint}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <GeneratedFields label={text.generateSystemPrompt} {...generation}>
        <TextareaField
          form={form}
          name="system_prompt"
          label={text.systemPrompt}
          hint={text.systemPromptHint}
          rows={6}
          maxLength={20_000}
          className={generation.isRunning ? 'animate-shimmer' : ''}
        />
      </GeneratedFields>
    </>
  )
}

/** The welcome and the suggested prompts, which stand before the first question. */
export function OpeningFields({ form }: Props) {
  const generation = useGeneration(form, () => generateSamples(form.data))
  const shimmer = generation.isRunning ? 'animate-shimmer' : ''
  return (
    <GeneratedFields label={text.generateSamples} {...generation}>
      <TextareaField
        form={form}
        name="welcome_prompt"
        label={text.welcome}
        rows={2}
        maxLength={2_000}
        className={shimmer}
      />
      <TextareaField
        form={form}
        name="suggest_prompts"
        label={text.suggestPrompts}
        hint={text.suggestPromptsHint}
        rows={3}
        className={shimmer}
      />
    </GeneratedFields>
  )
}

const switches = ['refer_source', 'related_prompts', 'interneted', 'stream', 'public'] as const

/** Category, visibility and switches. */
export function OptionFields({ form }: Props) {
  const { data: categories = [] } = useCategories()
  const organization = useUser()?.organization
  const options = [
    { value: '0', label: text.uncategorized },
    ...categories.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  return (
    <>
      <SelectField form={form} name="category_id" label={text.category} options={options} />
      <div className="divide-y">
        {switches.map((name) => (
          <Switch
            key={name}
            {...text.switches[name]}
            checked={form.data[name]}
            onChange={(checked) => form.setData({ [name]: checked })}
          />
        ))}
        {organization && !form.data.public && (
          <Switch
            label={text.shared}
            hint={text.sharedHint(organization.name)}
            checked={form.data.shared}
            onChange={(shared) => form.setData({ shared })}
          />
        )}
      </div>
    </>
  )
}

/** Has a model write some of the fields. Without a name there is nothing to write about. */
function useGeneration(form: AgentForm, write: () => Promise<Partial<AgentForm['data']>>) {
  const [isRunning, setIsRunning] = useState(false)
  const run = async () => {
    if (!form.data.name.trim()) return toast.error(text.nameRequired)
    setIsRunning(true)
    const newFields = await withToast(write)
    if (newFields) form.setData(newFields)
    setIsRunning(false)
  }
  return { isRunning, onRun: () => void run() }
}

type GeneratedFieldsProps = { label: string; isRunning: boolean; onRun: () => void; children: ReactNode }

/** Fields that a model can write, with the button for it at the end of their first line. */
const GeneratedFields = ({ label, isRunning, onRun, children }: GeneratedFieldsProps) => (
  <div className="relative flex flex-col gap-4">
    <Button
      variant="ghost"
      size="sm"
      aria-label={label}
      data-tooltip={text.generateNote}
      pending={isRunning}
      onClick={onRun}
      className="absolute! -top-1.5 right-0 h-7! px-2! text-accent! max-md:-top-5"
    >
      <Sparkles size={14} aria-hidden />
      {isRunning ? text.generating : text.generate}
    </Button>
    {children}
  </div>
)
