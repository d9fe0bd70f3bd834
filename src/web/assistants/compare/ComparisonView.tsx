import { clsx } from 'clsx'
import { useRef, useState, type ReactNode } from 'react'
import { THINKING } from '#contract/chat-tools.ts'
import { useThinking, type ComposerHandle } from '#web/conversations/composer/composer.tsx'
import { useConfig } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { useWhileMounted } from '#web/core/useWhileMounted.ts'
import { isUsable, useModelChoice } from '#web/conversations/model-picker/model-picker.tsx'
import { compareText } from '#web/text/compare/compare.ts'
import { ThreadError, ThreadSkeleton } from '#web/conversations/thread/thread.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { useWebSearch, WEB_SEARCH } from '#web/conversations/web-search/web-search.ts'
import { Announcer } from './Announcer.tsx'
import { askCurrentColumns } from './state/askColumns.ts'
import { stopColumns } from './state/follow.ts'
import { ChosenModels } from './columns/chosenModels.ts'
import { ColumnActionsContext } from './columns/columnActions.ts'
import {
  addModel,
  chooseModels,
  ensureSession,
  removeModel,
  setBlind,
  updateColumnSettings,
} from './state/columnModels.ts'
import { Columns } from './columns/Columns.tsx'
import { CompareBar } from './CompareBar.tsx'
import { CompareComposer, type RenderComposer } from './CompareComposer.tsx'
import { CompareHeader } from './CompareHeader.tsx'
import { CompareGreeting, ExampleQuestions, SuggestedSets } from './CompareStart.tsx'
import { createView } from './state/compareView.ts'
import { isAnswering, listAskedModels, type Comparison } from './state/comparison.ts'
import { comparisonQueue } from './state/comparisonQueue.ts'
import { reloadComparison, toDraftKey } from './state/comparisonStore.ts'
import type { SortKey } from './state/figures.ts'
import { ModelChips } from './ModelChips.tsx'
import { toNames } from './columns/ModelSelect.tsx'
import { suggestSets } from './suggestedSets.ts'
import { PrintedComparison } from './PrintedComparison.tsx'
import { useColumnActions } from './useColumnActions.ts'
import { useFirstModels } from './useFirstModels.ts'
import { VoteBar } from './VoteBar.tsx'

const getOnClose = ({ onClose }: { onClose: () => void }) => onClose
const DiffDialog = lazyComponent(() => import('./diff/DiffDialog.tsx'), { getOnClose })
const DiffBar = lazyComponent(() => import('./diff/DiffBar.tsx'), { silent: true })
const ColumnSettingsDialog = lazyComponent(() => import('./columns/ColumnSettingsDialog.tsx'), { getOnClose })

export type RenderPage = (page: { title: string; header: ReactNode; children: ReactNode }) => ReactNode

type Props = {
  id: string
  comparison: Comparison | undefined
  title: string
  /** The draft has been given its session. */
  onSession: (sessId: string) => void
  renderComposer: RenderComposer
  renderPage: RenderPage
}

/** A comparison with its actions; without a question, the start page. */
export function ComparisonView({ id, comparison, title, renderComposer, renderPage, ...props }: Props) {
  // Another comparison in its place has another key and is mounted anew.
  const onSession = useWhileMounted(props.onSession)
  const user = useUser()
  const { web_search } = useConfig()
  const { models, query } = useModelChoice(user === null, '')
  const usableModels = models.filter((model) => isUsable(model, user === null))
  const composer = useRef<ComposerHandle>(null)
  const [sort, setSort] = useState<SortKey>('order')
  const [target, setTarget] = useState<string | null>(null)
  const [changeCount, setChangeCount] = useState(0)
  const [diff, setDiff] = useState<readonly [string, string] | null>(null)
  const [open, setOpen] = useState<'diff' | { settingsOf: string } | null>(null)
  const isWebSearchOn = useWebSearch() && web_search
  const isThinkingOn = useThinking()
  useFirstModels(id, comparison, usableModels)
  const actions = useColumnActions(id, {
    onSession,
    askThis: (model) => {
      setTarget(model)
      composer.current?.focus()
    },
    openSettings: (model) => setOpen({ settingsOf: model }),
  })

  const columns = comparison?.columns ?? []
  const chosenModels = columns.map(({ model }) => model)
  const getName = (model: string) => toNames(query.data?.models ?? [], [model])[0] ?? model
  const view = comparison && createView(comparison, sort, getName)
  const isEmpty = !view?.newest && !comparison?.loading && !comparison?.loadError
  const askedModels = listAskedModels(columns, target)
  const isTyping = columns.some((column) => askedModels.includes(column.model) && isAnswering(column))
  const hasThinking = models.some(
    ({ id: model, thinking }) => chosenModels.includes(model) && thinking === 'switch',
  )
  const tools = [...(isWebSearchOn ? [WEB_SEARCH] : []), ...(isThinkingOn && hasThinking ? [THINKING] : [])]
  const session = () => ensureSession(id, onSession)

  const ask: Parameters<RenderComposer>[0]['onSend'] = (prompt, { block, content_type }) => {
    setChangeCount((count) => count + 1)
    setDiff(null)
    void askCurrentColumns(
      id,
      target,
      { prompt, tools, block: block || null, content_type: content_type ?? 'text' },
      onSession,
    )
  }
  const answeredColumns = view?.columns.filter(({ answer }) => answer?.status === 'done') ?? []
  const isOver = !view?.columns.some(({ answer }) => answer?.status === 'typing')
  const vote = view?.newest && comparison?.votes[view.newest.chat_id]
  const diffColumns = diff ? answeredColumns.filter(({ column }) => diff.includes(column.model)) : []
  const [first, second] = diffColumns
  const settingsOf = typeof open === 'object' ? open?.settingsOf : undefined
  const close = () => setOpen(null)

  const composerArea = (
    <CompareComposer
      {...{ composer, target: askedModels.length === 1 ? target : null, changeCount, tools }}
      conversationKey={comparison?.key ?? id}
      columns={view?.columns ?? []}
      onTarget={setTarget}
      ensureSession={session}
    >
      {renderComposer({
        ref: composer,
        draftKey: toDraftKey(id),
        queueSource: comparisonQueue,
        conversationKey: comparison?.key ?? id,
        typing: isTyping,
        thinking: hasThinking ? 'switch' : null,
        web_search,
        onSend: ask,
        onStop: () => void stopColumns(id, askedModels),
      })}
    </CompareComposer>
  )
  return renderPage({
    title,
    header: (
      <CompareHeader
        sess_id={comparison?.session?.id ?? null}
        title={title}
        hasMessages={Boolean(view?.newest)}
        getName={getName}
        ensureSession={session}
      />
    ),
    children: (
      <ColumnActionsContext value={actions}>
        <ChosenModels value={chosenModels}>
          {/* The composer keeps its place among these children, so that it keeps its text and focus. */}
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
            {isEmpty ? (
              <div className="mx-auto mt-auto w-full max-w-[53rem] px-4 pt-4 pb-5 md:px-6">
                <CompareGreeting />
                <div className="mt-6">
                  <ModelChips
                    models={chosenModels.map((model) => ({ id: model, name: getName(model) }))}
                    onAdd={(model) => void addModel(id, model)}
                    onRemove={(model) => void removeModel(id, model)}
                    blind={comparison?.blind ?? false}
                    onBlind={(blind) => void setBlind(id, blind)}
                  />
                </div>
              </div>
            ) : comparison?.loadError ? (
              <ThreadError error={comparison.loadError} onRetry={() => void reloadComparison(id)} />
            ) : !comparison || !view || comparison.loading === 'first' ? (
              <ThreadSkeleton />
            ) : (
              <>
                {first && second ? (
                  <DiffBar first={first} second={second} onClose={() => setDiff(null)} />
                ) : (
                  <CompareBar
                    {...{ comparison, view, sort }}
                    onSort={setSort}
                    onAdd={(model) => void addModel(id, model)}
                    onBlind={(blind) => void setBlind(id, blind)}
                    onDiff={answeredColumns.length > 1 ? () => setOpen('diff') : null}
                  />
                )}
                <Columns
                  view={view}
                  columns={first && second ? diffColumns : view.columns}
                  hasMore={comparison.has_more}
                  winner={vote?.winner}
                />
                {view.newest && isOver && answeredColumns.length > 1 && (
                  <VoteBar
                    key={view.newest.chat_id}
                    id={id}
                    chat_id={view.newest.chat_id}
                    vote={vote}
                    columns={answeredColumns}
                  />
                )}
              </>
            )}
            <div className={clsx('mx-auto w-full max-w-[53rem] px-4 md:px-6', !isEmpty && 'pt-1.5')}>
              {composerArea}
            </div>
            {isEmpty && (
              <div className="mx-auto mb-auto w-full max-w-[53rem] px-4 pt-3 pb-10 md:px-6">
                {usableModels.length === 1 && (
                  <p className="mb-4 text-note text-ink2">{compareText.lonely}</p>
                )}
                <SuggestedSets
                  sets={suggestSets(usableModels)}
                  chosen={chosenModels}
                  onChoose={(ids) => void chooseModels(id, ids)}
                />
                <ExampleQuestions
                  onChoose={(prompt) => {
                    composer.current?.setText(prompt)
                    setChangeCount((count) => count + 1)
                  }}
                />
              </div>
            )}
          </div>
          {view && <Announcer view={view} />}
          <PrintedComparison id={id} getName={getName} />
          {open === 'diff' && <DiffDialog columns={answeredColumns} onStart={setDiff} onClose={close} />}
          {settingsOf !== undefined && (
            <ColumnSettingsDialog
              name={getName(settingsOf)}
              settings={columns.find(({ model }) => model === settingsOf)?.settings ?? null}
              onSave={(settings) => updateColumnSettings(id, settingsOf, settings)}
              onClose={close}
            />
          )}
        </ChosenModels>
      </ColumnActionsContext>
    ),
  })
}
