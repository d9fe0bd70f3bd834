import type { QueryObserver, QueryObserverOptions } from '@tanstack/react-query'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { lazyModule } from './lazyModule.ts'

type Library = typeof import('./queryClient.ts')

let library: Library | undefined

/** Loads the client of all queries with its library: at once, but not before the first paint. */
const loadQueryClient = lazyModule(async () => (library = await import('./queryClient.ts')), true)

/** Invalidates a query, so that whatever shows it fetches it again. */
export const invalidateQuery = (queryKey: readonly unknown[]): void =>
  void loadQueryClient().then(
    ({ queryClient }) => queryClient.invalidateQueries({ queryKey }),
    () => {},
  )

export type DeferredQuery<T> = {
  data: T | undefined
  isPending: boolean
  isError: boolean
  refetch: () => unknown
}

/**
 * A query of the first paint: pending, or with its initial data, until the library is loaded; then the same as `useQuery`. If the
 * library does not load, it is an error until `refetch` or the return of the network loads it.
 */
export function useDeferredQuery<T>(options: QueryObserverOptions<T>): DeferredQuery<T> {
  const [deferred] = useState(() => createDeferredObserver(options))
  useLayoutEffect(() => deferred.setOptions(options))
  return useSyncExternalStore(deferred.subscribe, deferred.getResult, deferred.getPending)
}

function createDeferredObserver<T>(initialOptions: QueryObserverOptions<T>) {
  let options = initialOptions
  let observer: QueryObserver<T> | undefined = library?.createQueryObserver(options)
  const data = options.initialData as T | undefined
  const pending: DeferredQuery<T> = { data, isPending: data === undefined, isError: false, refetch: () => {} }
  let result: DeferredQuery<T> = pending

  const subscribe = (onChange: () => void) => {
    let isClosed = false
    let unsubscribe: (() => void) | undefined
    const observe = ({ createQueryObserver }: Library) => {
      if (isClosed || unsubscribe) return
      observer ??= createQueryObserver(options)
      unsubscribe = observer.subscribe(onChange)
      // Includes changes since its creation.
      observer.updateResult()
      onChange()
    }
    const load = () => void loadQueryClient().then(observe, onFailed)
    // A try under way may have begun before the cause of its failure was gone: a person's press gets one of its own.
    const refetch = () => void loadQueryClient().catch(loadQueryClient).then(observe, onFailed)
    const onFailed = () => {
      result = { ...pending, isPending: false, isError: true, refetch }
      onChange()
      addEventListener('online', load, { once: true })
    }
    if (library) observe(library)
    else load()
    return () => {
      isClosed = true
      unsubscribe?.()
      removeEventListener('online', load)
    }
  }
  return {
    subscribe,
    setOptions: (next: QueryObserverOptions<T>) => {
      options = next
      observer?.setOptions(next)
    },
    getPending: () => pending,
    getResult: (): DeferredQuery<T> => observer?.getCurrentResult() ?? result,
  }
}
