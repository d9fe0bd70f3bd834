import { router } from '@inertiajs/react'
import { X } from 'lucide-react'
import { useState } from 'react'
import type { Block } from '#contract/blocks.ts'
import { askAlreadyIn } from '#contract/translate/detect-language.ts'
import { targetLanguages, type TargetLanguage } from '#contract/translate/languages.ts'
import { request } from '#web/core/api.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { queryClient, useQuery } from '#web/core/queryClient.ts'
import { FileIcon, formatBytes, isBeingRead, useBlock } from '#web/files/files.ts'
import { tasksKey } from '#web/tasks/tasks.ts'
import { documentsText as text } from '#web/text/translate/documents.ts'
import { translateText } from '#web/text/translate/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { RechargeLink } from '#web/ui/RechargeLink.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { resolveTarget, useTranslationSettings } from '../settings.ts'
import { TargetSelect } from '../TargetSelect.tsx'
import { ToneMenu } from '../text/ToneMenu.tsx'
import { describeFailure } from '../text/translateText.ts'
import { removePending, type DocumentKind } from './pendingDocuments.ts'

type Props = { block: Block; kind: DocumentKind; model: string | null }

/** Shows a document before it is translated: target language, cost, and the start button. */
export function PendingCard({ block: addedBlock, kind, model }: Props) {
  const { target: chosenTarget, tone } = useTranslationSettings()
  const target = resolveTarget(chosenTarget, null)
  // The translation of a page uses its extracted text; a file is parsed separately.
  const { data: block = addedBlock } = useBlock(addedBlock.id)
  const isReading = kind === 'link' && isBeingRead(block)
  const [pending, setPending] = useState(false)
  const estimate = useEstimate({ block: block.id, model, target, tone }, !isReading)
  const isAlreadyThere = kind === 'file' && estimate.data?.already_in_language === true
  const start = async () => {
    setPending(true)
    try {
      const settings = { block: block.id, model, target_lang: target, tone, biz_type: kind }
      const body = { ...settings, anyway: isAlreadyThere }
      const { task, message } = await request('POST /api/translate', { body })
      removePending(block.id)
      toast.success(message)
      void queryClient.invalidateQueries({ queryKey: tasksKey })
      if (task) router.visit(`/fanyi?task=${task}`)
    } catch (error) {
      toast.error(describeFailure(error))
      void estimate.refetch()
    } finally {
      setPending(false)
    }
  }
  return (
    <section aria-label={block.name} className="mt-3 rounded-2xl border bg-raised p-4 shadow-soft md:p-5">
      <div className="flex items-center gap-3">
        <FileIcon type={block.type} name={block.name} link={kind === 'link'} />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-medium">{block.name}</h2>
          <p className="text-note text-ink3 tabular-nums">{formatBytes(block.size)}</p>
        </div>
        <IconButton label={text.remove(block.name)} onClick={() => removePending(block.id)}>
          <X size={17} aria-hidden />
        </IconButton>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 border-t pt-3">
        <TargetSelect target={target} />
        <ToneMenu />
      </div>
      <div className="mt-2 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        {isReading ? (
          <p role="status" className="animate-shimmer text-ink2">
            {text.linkReading}
          </p>
        ) : block.status === 3 && kind === 'link' ? (
          <p role="alert" className="text-danger">
            {block.error}
          </p>
        ) : (
          <div className="min-w-0">
            {isAlreadyThere && (
              <p role="alert" className="mb-1 text-warning">
                {askAlreadyIn(targetLanguages[target])}
              </p>
            )}
            <Estimate block={block.id} query={estimate} onAffordable={() => void start()} />
          </div>
        )}
        <Button
          variant="primary"
          pending={pending}
          disabled={isReading}
          onClick={() => void start()}
          className="max-md:w-full"
        >
          {isAlreadyThere ? text.anyway : text.start} · {text.into(targetLanguages[target])}
        </Button>
      </div>
    </section>
  )
}

type EstimateInput = { block: string; model: string | null; target: TargetLanguage; tone: string }

const useEstimate = ({ block, model, target, tone }: EstimateInput, enabled: boolean) =>
  useQuery({
    queryKey: ['translate', 'estimate', block, model, target, tone],
    queryFn: ({ signal }) =>
      request(
        'POST /api/translate/estimate',
        { body: { block, model, target_lang: target, tone } },
        { signal },
      ),
    staleTime: 60_000,
    retry: false,
    enabled,
  })

type EstimateProps = { block: string; query: ReturnType<typeof useEstimate>; onAffordable: () => void }

function Estimate({ block, query, onAffordable }: EstimateProps) {
  return (
    <QueryView
      query={query}
      compact
      failed={query.error?.message ?? text.estimateFailed}
      skeleton={
        <p role="status" className="flex items-center gap-3 text-ink2">
          <Skeleton className="size-4" />
          {text.estimating}
        </p>
      }
    >
      {({ segments, from_memory, amount, max_amount, missing }) => (
        <div className="flex min-w-0 flex-col gap-0.5">
          <p className="text-reading font-medium tabular-nums">
            {from_memory === segments ? text.free : text.cost(formatFineAmount(amount))}
            <span className="ml-2 text-note font-normal text-ink2">{text.segments(segments)}</span>
          </p>
          {from_memory > 0 && from_memory < segments && (
            <p className="text-note text-success tabular-nums">{text.fromMemory(from_memory)}</p>
          )}
          {amount > 0 && (
            <p className="text-note text-ink3 tabular-nums">{text.maxCost(formatFineAmount(max_amount))}</p>
          )}
          {missing > 0 && (
            <p role="alert" className="text-note text-warning tabular-nums">
              {text.missing(formatFineAmount(missing))}
            </p>
          )}
          {missing > 0 && (
            <RechargeLink
              id={`translate-${block}`}
              neededCoins={amount}
              onAffordable={onAffordable}
              size="sm"
              className="self-start"
            >
              {translateText.recharge}
            </RechargeLink>
          )}
        </div>
      )}
    </QueryView>
  )
}
