import { Link } from '@inertiajs/react'
import { SearchX } from 'lucide-react'
import { isNotFound } from '#web/core/api.ts'
import { modelsText } from '#web/text/models.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ModelDetail, type RenderSamples } from './ModelDetail.tsx'
import { useModelCard } from './queries.ts'

/** Shows a model's own page, or that there is no such model. */
export function ModelPage({ model, renderSamples }: { model: string; renderSamples: RenderSamples }) {
  const query = useModelCard(model)
  const { data, error } = query
  const isMissing = isNotFound(error)
  return (
    <>
      {/* Until the model has a name, its id is the heading, for screen readers. */}
      {(isMissing || !data) && <h1 className="sr-only">{model}</h1>}
      {isMissing ? (
        <EmptyState
          icon={<SearchX size={28} />}
          title={modelsText.notFound}
          description={modelsText.notFoundHint}
          action={
            <Link href="/models" className={buttonClass()}>
              {modelsText.back}
            </Link>
          }
        />
      ) : (
        <QueryView query={query} failed={modelsText.cardFailed} skeleton={<ModelSkeleton />}>
          {(card) => <ModelDetail card={card} requested={model} renderSamples={renderSamples} />}
        </QueryView>
      )}
    </>
  )
}

const ModelSkeleton = () => (
  <div className="flex flex-col gap-4">
    <Skeleton className="h-8 w-56" />
    <Skeleton className="h-4 w-96 max-w-full" />
    <Skeleton className="mt-6 h-40 w-full" />
  </div>
)
