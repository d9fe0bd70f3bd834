import { Link } from '@inertiajs/react'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '../core/api.ts'
import { modelsText } from '../text/models.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ModelDetail } from './ModelDetail.tsx'
import { useModelCard } from './queries.ts'

/** A model's own page, or that there is no such model. */
export function ModelPage({ model }: { model: string }) {
  const { data, error, refetch } = useModelCard(model)
  if (error instanceof ApiError && error.status === 404) {
    return (
      <UnnamedModel model={model}>
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
      </UnnamedModel>
    )
  }
  if (error) {
    return (
      <UnnamedModel model={model}>
        <EmptyState
          title={modelsText.cardFailed}
          description={error.message}
          action={<Button onClick={() => void refetch()}>{modelsText.retry}</Button>}
        />
      </UnnamedModel>
    )
  }
  if (data) return <ModelDetail card={data} />
  return (
    <UnnamedModel model={model}>
      <div className="flex flex-col gap-4">
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-4 w-96 max-w-full" />
        <Skeleton className="mt-6 h-40 w-full" />
      </div>
    </UnnamedModel>
  )
}

/** A page whose model has no name yet: its id is the heading, for those who listen. */
function UnnamedModel({ model, children }: { model: string; children: ReactNode }) {
  return (
    <>
      <h1 className="sr-only">{model}</h1>
      {children}
    </>
  )
}
