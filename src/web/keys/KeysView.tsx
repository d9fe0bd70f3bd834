import { Link } from '@inertiajs/react'
import { KeyRound, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { MAX_KEYS_PER_USER } from '#contract/key-groups.ts'
import { usePageUrl } from '#web/core/page.ts'
import { getLoginUrl } from '#web/core/loginUrl.ts'
import { keysText } from '#web/text/keys.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import type { KeyKindText } from './keyKind.ts'

/** A list of keys as it was read, or is being read. */
export type KeyListQuery<T> = {
  data: { items: T[] } | undefined
  error: Error | null
  refetch: () => unknown
}
type Props<T> = {
  text: KeyKindText
  signedIn: boolean
  query: KeyListQuery<T>
  onCreate: () => void
  /** The keys, when there are some. */
  children: (items: T[]) => ReactNode
}

/** What a page of keys shows in each state: signed out, failed, loading, empty, or the keys. */
export function KeysView<T>({ text, signedIn, query, onCreate, children }: Props<T>) {
  const url = usePageUrl()
  const { data, error, refetch } = query
  const icon = <KeyRound size={28} />
  if (!signedIn) {
    const login = (
      <Link href={getLoginUrl(url)} className={buttonClass({ variant: 'primary' })}>
        {keysText.login}
      </Link>
    )
    return <EmptyState icon={icon} title={keysText.signIn} description={keysText.signInHint} action={login} />
  }
  if (error) {
    const retry = <Button onClick={() => void refetch()}>{keysText.retry}</Button>
    return <EmptyState title={keysText.failed} description={error.message} action={retry} />
  }
  const create = (
    <Button variant="primary" onClick={onCreate} disabled={(data?.items.length ?? 0) >= MAX_KEYS_PER_USER}>
      <Plus size={16} aria-hidden />
      {text.create}
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-pretty text-ink2">{text.intro}</p>
        {data && data.items.length > 0 && create}
      </div>
      {!data ? (
        <KeysSkeleton />
      ) : data.items.length ? (
        <>
          {children(data.items)}
          <p className="text-note text-ink3 tabular-nums">
            {keysText.count(data.items.length, MAX_KEYS_PER_USER)}
          </p>
        </>
      ) : (
        <EmptyState icon={icon} title={text.empty} description={text.emptyHint} action={create} />
      )}
    </div>
  )
}

const KeysSkeleton = () => (
  <div className="flex flex-col gap-3 rounded-xl border p-3.5">
    <Skeleton className="h-5 w-2/3" />
    <Skeleton className="h-5 w-1/2" />
    <Skeleton className="h-5 w-3/5" />
  </div>
)
