import { PUBLIC } from '#contract/agents/agent-defaults.ts'
import type { AgentCard } from '#contract/agents/agents.ts'
import type { AgentWidget } from '#contract/agents/widget.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { request } from '#web/core/api.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { useConfig } from '#web/core/page.ts'
import { queryClient, useQuery } from '#web/core/queryClient.ts'
import { useForm, type FormErrors } from '#web/core/useForm.ts'
import { widgetText as text } from '#web/text/agents/widget.ts'
import { CodeSample } from '#web/ui/CodeSample.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextareaField, TextField } from '#web/ui/form/fields.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

type Props = { agent: AgentCard; onClose: () => void }
type Fields = { enabled: boolean; sites: string; daily_limit: string }

const toKey = (id: string) => ['agent-widget', id] as const
const useWidget = (id: string) =>
  useQuery({
    queryKey: toKey(id),
    queryFn: async ({ signal }) =>
      (await request('GET /api/agent/{id}/widget', { params: { id } }, { signal })).data,
    staleTime: 0,
    // Keeps unsaved input while the dialog is open.
    refetchOnWindowFocus: false,
  })

/** Settings of an agent's widget: sites, spending limit, appearance, and the tag to copy. */
export default function WidgetDialog({ agent, onClose }: Props) {
  const query = useWidget(agent.uuid)
  return (
    <Dialog open onOpenChange={onClose} title={text.title} description={text.description} kind="wide">
      <QueryView query={query} failed={text.failed} skeleton={<Skeleton className="h-64" />}>
        {(widget) => <WidgetSettings agent={agent} widget={widget} />}
      </QueryView>
    </Dialog>
  )
}

const toFields = ({ enabled, sites, daily_limit }: AgentWidget): Fields => ({
  enabled,
  sites: sites.join('\n'),
  daily_limit: String(daily_limit),
})

const listSites = (sites: string): string[] => sites.split(/[\s,，]+/).filter(Boolean)

const validate = ({ daily_limit }: Fields): FormErrors<Fields> =>
  Number(daily_limit) > 0 ? {} : { daily_limit: text.limitInvalid }

function WidgetSettings({ agent, widget }: { agent: AgentCard; widget: AgentWidget }) {
  const { uuid: id, visible } = agent
  const form = useForm(toFields(widget))
  const save = async ({ enabled, sites, daily_limit }: Fields) => {
    const body = { enabled, sites: listSites(sites), daily_limit: Number(daily_limit) }
    return (await clearUserOn401(request('PUT /api/agent/{id}/widget', { params: { id }, body }))).data
  }
  const onSuccess = (savedWidget: AgentWidget) => {
    queryClient.setQueryData(toKey(id), savedWidget)
    form.reset(toFields(savedWidget))
  }
  const isPublic = visible === PUBLIC
  return (
    <div className="grid gap-6 md:grid-cols-[1fr_20rem]">
      <form
        onSubmit={form.handleSubmit(save, { validate, onSuccess })}
        className="flex min-w-0 flex-col gap-4"
      >
        <Switch
          label={text.enabled}
          hint={text.enabledHint}
          checked={form.data.enabled}
          onChange={(enabled) => form.setData({ enabled })}
        />
        {!isPublic && <p className="rounded-xl bg-fill px-3.5 py-2.5 text-note text-ink2">{text.private}</p>}
        <TextareaField
          form={form}
          name="sites"
          label={text.sites}
          hint={text.sitesHint}
          placeholder={text.sitesPlaceholder}
          rows={4}
          spellCheck={false}
        />
        <TextField
          form={form}
          name="daily_limit"
          label={text.limit}
          hint={text.used(formatFineAmount(widget.used_today))}
          inputMode="decimal"
          autoComplete="off"
        />
        <div className="flex flex-wrap items-center gap-3">
          <SaveButton form={form} />
          <p role="status" className={form.errors.form ? 'text-note text-danger' : 'text-note text-ink3'}>
            {form.errors.form ?? (form.recentlySuccessful ? text.saved : '')}
          </p>
        </div>
        {widget.enabled && <EmbedCode agent={id} />}
      </form>
      <Preview
        agent={agent}
        note={widget.enabled ? (isPublic ? null : text.previewPrivate) : text.previewOff}
      />
    </div>
  )
}

function EmbedCode({ agent }: { agent: string }) {
  const { app_url } = useConfig()
  return (
    <div className="min-w-0">
      <p className="font-medium">{text.code}</p>
      <p className="mb-2 text-note text-ink3">
        {text.codeHint}{' '}
        <a href="/docs/gateway#widget" className="text-accent underline underline-offset-2">
          {text.guide}
        </a>
      </p>
      <CodeSample
        label={text.code}
        code={`<script src="${app_url}/widget.js" data-agent="${agent}" async></script>`}
      />
    </div>
  )
}

/** The frame as visitors see it; its questions are charged like theirs. */
function Preview({ agent: { uuid, name }, note }: { agent: AgentCard; note: string | null }) {
  return (
    <div className="flex min-w-0 flex-col">
      <p className="mb-2 font-medium">{text.preview}</p>
      {note ? (
        <p className="grid min-h-40 flex-1 place-items-center rounded-2xl border border-dashed p-6 text-center text-note text-ink3">
          {note}
        </p>
      ) : (
        // oxlint-disable-next-line react/iframe-missing-sandbox -- a page of this origin that may run scripts is in none
        <iframe
          src={`/widget/${uuid}`}
          title={text.frame(name)}
          className="h-120 w-full rounded-2xl border bg-panel"
        />
      )}
    </div>
  )
}
