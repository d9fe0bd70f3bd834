import type { QueryObserver, QueryObserverOptions } from '@tanstack/react-query'
import { useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { lazyModule } from './lazyModule.ts'

type Library = typeof import('./queryClient.ts')

let library: Library | undefined

/** The client of all queries, with its library: loaded at once, but the first picture does not wait for it. */
const loadQueryClient = lazyModule(async () => (library = await import('./queryClient.ts')), true)

/** Whatever shows the query asks for it again. */
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
 * A query of the first picture: pending, or its initial data, until the library is there, and from then on the same as
 * `useQuery`. Where the library does not come it is an error until `refetch`, or the network's return, brings it.
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
      // What changed since it was created.
      observer.updateResult()
      onChange()
    }
    const load = () =>
      void loadQueryClient().then(observe, () => {
        result = { ...pending, isPending: false, isError: true, refetch: load }
        onChange()
        addEventListener('online', load, { once: true })
      })
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
