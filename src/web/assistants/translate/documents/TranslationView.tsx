import { Link } from '@inertiajs/react'
import { ArrowLeft, Download, FileX } from 'lucide-react'
import { useState } from 'react'
import type { Task } from '#contract/tasks/tasks.ts'
import { targetLanguages, type TargetLanguage } from '#contract/translate/languages.ts'
import type { TranslationResult } from '#contract/translate/translation.ts'
import { taskMessages } from '#contract/uploads.ts'
import { isNotFound } from '#web/core/api.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { useBlock } from '#web/files/files.ts'
import { useModelName } from '#web/conversations/model-picker/model-picker.tsx'
import { cancelTask, downloadTranslation, isRunning, retryTask, TaskProgress } from '#web/tasks/tasks.ts'
import { blocksText } from '#web/text/blocks.ts'
import { documentsText as text } from '#web/text/translate/documents.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoiceChips } from '#web/ui/form/ChoiceChips.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { TextList, type TextView } from './TextList.tsx'
import { useTranslation } from './translation.ts'

/** Shows the translation of a document: progress, report, texts beside their source, and files. */
export function TranslationView({ id }: { id: string }) {
  const query = useTranslation(id)
  const isGone = query.data?.translation === null || isNotFound(query.error)
  if (isGone)
    return (
      <EmptyState
        icon={<FileX size={28} />}
        title={text.gone}
        action={
          <Link href="/fanyi?mode=file" className={buttonClass()}>
            {text.back}
          </Link>
        }
      />
    )
  return (
    <QueryView query={query} failed={taskMessages.preview_failed} skeleton={<ViewSkeleton />}>
      {({ task, translation }) => translation && <Translation task={task} translation={translation} />}
    </QueryView>
  )
}

type Props = { task: Task; translation: TranslationResult }

function Translation({ task, translation }: Props) {
  const { block, format } = translation
  // A web page has no file of its own, so it is shown as an article.
  const source = useBlock(block)
  const isLink = source.data?.md5 === null
  const [chosenView, setView] = useState<TextView | null>(null)
  const view = chosenView ?? (isLink ? 'article' : 'side')
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="shrink-0 border-b px-4 pb-3 md:px-6">
        <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center gap-x-4 gap-y-2">
          <Link
            href={`/fanyi?mode=${isLink ? 'link' : 'file'}`}
            aria-label={text.back}
            data-tooltip={text.back}
            className={`${buttonClass({ variant: 'ghost' })} -ml-2 size-9 px-0! max-md:size-11`}
          >
            <ArrowLeft size={18} aria-hidden />
          </Link>
          <div className="min-w-0 flex-1 basis-60 max-md:-ml-2">
            <h2 className="truncate font-semibold">{translation.name}</h2>
            <Facts {...{ task, translation }} />
          </div>
          <Actions {...{ task, translation }} />
        </div>
        {isRunning(task) && (
          <TaskProgress
            label={text.state.running}
            done={task.done}
            total={task.total}
            className="mx-auto mt-2.5 w-full max-w-6xl"
          />
        )}
      </div>
      <TextList
        id={task.uuid}
        translation={translation}
        isRunning={isRunning(task)}
        view={view}
        isLink={isLink}
        isPdf={format === 'pdf'}
        chooser={
          <ChoiceChips
            label={text.views}
            choices={[
              { value: 'side', label: text.viewNames.side },
              { value: 'article', label: text.viewNames.article },
            ]}
            chosen={view}
            onChoose={setView}
          />
        }
      />
    </div>
  )
}

/** Shows progress, target language, model, and cost so far. */
function Facts({ task, translation }: Props) {
  const getModelName = useModelName()
  const { status, seconds_left, cost, error, delay } = task
  const { target_lang, model, segments, translated, failed } = translation
  const state =
    status === 0
      ? (delay ?? text.state.waiting)
      : status === 1
        ? segments
          ? text.progress(Math.max(task.done, translated), segments)
          : text.preparing
        : status === 2
          ? text.state.done
          : (error ?? text.state.failed)
  const facts = [
    text.into(targetLanguages[target_lang as TargetLanguage] ?? target_lang),
    getModelName(model),
    ...(seconds_left !== null && status === 1 ? [blocksText.secondsLeft(seconds_left)] : []),
    ...(cost > 0 ? [text.costSoFar(formatFineAmount(cost))] : []),
    ...(failed > 0 && status === 1 ? [text.reportFailed(failed)] : []),
  ]
  return (
    <p className="flex flex-wrap gap-x-2 text-note text-ink2 tabular-nums">
      <span
        role="status"
        className={status === 3 ? 'text-danger' : status === 2 ? 'text-success' : 'text-accent'}
      >
        {state}
      </span>
      <span>{facts.join(' · ')}</span>
    </p>
  )
}

function Actions({ task, translation }: Props) {
  const { uuid, status } = task
  const [pending, setPending] = useState<string | null>(null)
  const run = (name: string, action: () => Promise<unknown>) => async () => {
    setPending(name)
    await action()
    setPending(null)
  }
  const renderButton = (name: string, label: string, action: () => Promise<unknown>, isMain = false) => (
    <Button
      variant={isMain ? 'primary' : 'secondary'}
      pending={pending === name}
      onClick={() => void run(name, action)()}
    >
      {name !== 'stop' && name !== 'retry' && <Download size={16} aria-hidden />}
      {label}
    </Button>
  )
  if (status < 2) return renderButton('stop', text.stop, () => cancelTask(uuid))
  const isPartial = status === 3
  const isPdf = translation.format === 'pdf'
  return (
    <div className="flex flex-wrap gap-2">
      {isPartial && renderButton('retry', text.retry, () => retryTask(uuid), true)}
      {(!isPartial || translation.translated > 0) && (
        <>
          {renderButton('bilingual', isPdf ? text.downloadPdfBilingual : text.downloadBilingual, () =>
            downloadTranslation(uuid, 'bilingual'),
          )}
          {renderButton(
            'translated',
            isPdf ? text.downloadPdf : isPartial ? text.downloadPartial : text.download,
            () => downloadTranslation(uuid, 'translated'),
            !isPartial,
          )}
        </>
      )}
    </div>
  )
}

const ViewSkeleton = () => (
  <div className="mx-auto flex w-full max-w-6xl flex-col gap-4 px-4 py-6 md:px-6">
    {['h-6 w-1/3', 'h-24 w-full', 'h-12 w-full', 'h-12 w-full', 'h-12 w-full'].map((size, n) => (
      <Skeleton key={n} className={size} />
    ))}
  </div>
)
