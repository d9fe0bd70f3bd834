import { Link, router } from '@inertiajs/react'
import { ChevronLeft } from 'lucide-react'
import { useState, type ReactNode, type SyntheticEvent } from 'react'
import { parseSuggestPrompts } from '#contract/agents/agent-defaults.ts'
import type { Agent } from '#contract/agents/agents.ts'
import type { UserInfo } from '#contract/users.ts'
import { ApiError } from '#web/core/api.ts'
import type { FormErrors } from '#web/core/useForm.ts'
import { agentsText } from '#web/text/agents/agents.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { SplitView } from '#web/ui/layout/SplitView.tsx'
import { toast } from '#web/ui/toast.ts'
import { AgentChat, type RenderChat } from './AgentChat.tsx'
import { AnswerFields, BasicFields, OpeningFields, OptionFields } from './AgentFields.tsx'
import { AgentOpening } from './AgentOpening.tsx'
import { EvaluationPanel } from './evaluation/EvaluationPanel.tsx'
import { FeedbackPanel } from './evaluation/FeedbackPanel.tsx'
import { toBody, type AgentFields } from './formFields.ts'
import { agentCalls, invalidateAgents } from './queries.ts'
import { SourcePanel } from './sources/SourcePanel.tsx'
import { useSources, type Sources } from './sources/useSources.ts'
import { useAgentForm, type AgentForm } from './useAgentForm.ts'

export type RenderPage = (page: { title: string; header?: ReactNode; children: ReactNode }) => ReactNode

type Props = { draft: Agent; user: UserInfo; renderChat: RenderChat; renderPage: RenderPage }

/** The form of an agent, with a conversation with the draft beside it. */
export function AgentEditor({ draft, user, renderChat, renderPage }: Props) {
  const form = useAgentForm(draft)
  const { autosave, data, processing, wasSuccessful } = form
  const sources = useSources({
    draft,
    user,
    fields: data,
    isOpen: !processing && !wasSuccessful,
    setFields: form.setData,
    save: autosave.flush,
  })
  const agent = draft.draft_of ?? null
  const save = async (fields: AgentFields) => {
    await autosave.stop()
    const body = { ...toBody(fields), draft: draft.uuid }
    return agent === null ? agentCalls.create(body) : agentCalls.update(agent, body)
  }
  const onSubmit = form.handleSubmit(save, {
    validate: validateFields,
    toErrors: toAgentErrors,
    onSuccess: async ({ uuid }) => {
      await invalidateAgents()
      router.visit(`/chat/agent/${uuid}`)
    },
    onError: () => autosave.change(data),
  })
  const [shownSide] = useState({ side: 'left' as const })
  const title = agent === null ? text.createTitle : text.editTitle(data.name)
  return renderPage({
    title,
    header: <EditorHeader {...{ title, form, onSubmit }} submitLabel={agent ? text.save : text.create} />,
    children: (
      <SplitView
        name="agent"
        labels={{ tabs: text.tabs, resize: text.resize }}
        defaultPercent={54}
        shownSide={shownSide}
        left={{ label: text.formTab, content: <EditorForm {...{ draft, form, sources }} /> }}
        right={{ label: text.chatTab, content: <TestChat {...{ draft, form, sources, renderChat }} /> }}
      />
    ),
  })
}

const validateFields = ({ name }: AgentFields): FormErrors<AgentFields> =>
  name.trim() ? {} : { name: text.nameRequired }

/** Shows the server's message as a toast (specification section 8) and returns its reasons for the fields. */
function toAgentErrors(error: unknown): FormErrors<AgentFields> {
  if (!(error instanceof ApiError)) throw error
  toast.error(error.message)
  return Object.fromEntries(
    Object.entries(error.errors).map(([path, reason]) => [
      path.replace(/^settings\.chat\./, '').split('.')[0],
      reason,
    ]),
  ) as FormErrors<AgentFields>
}

type HeaderProps = {
  title: string
  form: AgentForm
  submitLabel: string
  onSubmit: (event: SyntheticEvent) => void
}

function EditorHeader({ title, form, submitLabel, onSubmit }: HeaderProps) {
  const { saving, data, processing } = form
  const isUntouched = saving === 'saved' && !data.name && !data.embeds.length
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2 md:-ml-1 md:gap-3">
      <Link
        href="/agents"
        aria-label={agentsText.back}
        data-tooltip={agentsText.back}
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-ink2 transition-colors hover:bg-fill hover:text-ink max-md:-mr-2 max-md:size-11"
      >
        <ChevronLeft size={18} aria-hidden />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="truncate leading-5 font-semibold" title={title}>
          {title}
        </h1>
        <p
          role="status"
          className={`truncate text-xs leading-4.5 empty:hidden ${saving === 'failed' ? 'text-danger' : 'text-ink3'}`}
        >
          {isUntouched ? '' : text.draft[saving]}
        </p>
      </div>
      <Button variant="primary" pending={processing} onClick={onSubmit}>
        {submitLabel}
      </Button>
    </div>
  )
}

type FormProps = { draft: Agent; form: AgentForm; sources: Sources }

function EditorForm({ draft, form, sources }: FormProps) {
  const [isDiscarding, setIsDiscarding] = useState(false)
  const agent = draft.draft_of ?? null
  const discard = async () => {
    await form.autosave.stop()
    await agentCalls.remove(draft.uuid)
    await invalidateAgents()
    router.visit('/agents')
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-2xl flex-col gap-9 px-4 pt-4 pb-12 md:px-7 md:pt-5">
        <Section title={text.sources} hint={text.sourcesHint}>
          <SourcePanel sources={sources} />
        </Section>
        {sources.embeds.length > 0 && (
          <Section
            title={text.evaluation.title}
            hint={agent === null ? text.evaluation.later : text.evaluation.hint}
          >
            {agent !== null && <EvaluationPanel agent={agent} />}
          </Section>
        )}
        {agent !== null && (
          <Section title={text.feedback.title} hint={text.feedback.hint}>
            <FeedbackPanel agent={agent} />
          </Section>
        )}
        <Section title={text.basics}>
          <BasicFields form={form} />
        </Section>
        <Section title={text.answering}>
          <AnswerFields form={form} />
        </Section>
        <Section title={text.opening}>
          <OpeningFields form={form} />
        </Section>
        <Section title={text.settings}>
          <OptionFields form={form} />
        </Section>
        <Button
          variant="ghost"
          className="self-start max-md:-ml-4 md:-ml-4"
          onClick={() => setIsDiscarding(true)}
        >
          {text.discard}
        </Button>
      </div>
      <ConfirmDialog
        open={isDiscarding}
        onOpenChange={setIsDiscarding}
        title={text.discardTitle}
        description={text.discardText}
        confirmLabel={text.discard}
        danger
        onConfirm={discard}
      />
    </div>
  )
}

type SectionProps = { title: string; hint?: string; children?: ReactNode }

const Section = ({ title, hint, children }: SectionProps) => (
  <section className="flex flex-col gap-4">
    <div>
      <h2 className="text-reading font-semibold">{title}</h2>
      {hint && <p className="mt-0.5 text-note text-ink3">{hint}</p>}
    </div>
    {children}
  </section>
)

/** A conversation with the draft: changes are saved as soon as the focus moves here, so that the answers follow them. */
function TestChat({ draft, form, sources, renderChat }: FormProps & { renderChat: RenderChat }) {
  const { name, logo, welcome_prompt, suggest_prompts } = form.data
  const { embeds, uploads } = sources
  const isReady = embeds.some(({ status }) => status === 2)
  const isExpected = embeds.length + uploads.length > 0
  return (
    <section
      aria-label={text.testChat}
      onFocusCapture={() => void form.autosave.flush()}
      className="flex min-h-0 flex-1 flex-col"
    >
      <AgentChat
        uuid={draft.uuid}
        renderChat={renderChat}
        heading={
          <p className="truncate px-2 text-note text-ink3">
            <span className="mr-2 font-medium text-ink max-md:hidden">{text.testChat}</span>
            {text.testHint}
          </p>
        }
        renderEmpty={(ask) => (
          <AgentOpening
            agent={{ name, logo, welcome: welcome_prompt, prompts: parseSuggestPrompts(suggest_prompts) }}
            note={isReady ? null : isExpected ? text.reading : text.noSources}
            onChoose={ask}
          />
        )}
      />
    </section>
  )
}
