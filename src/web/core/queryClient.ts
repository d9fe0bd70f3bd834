import {
  type InfiniteData,
  type Query,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  useInfiniteQuery as useInfiniteQueryOf,
  type UseInfiniteQueryOptions,
  useQuery as useQueryOf,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { ApiError } from './api.ts'

export { keepPreviousData } from '@tanstack/react-query'

/** A refused call stays refused; only what may be an accident of the network or a busy server is tried again. */
const isRetryable = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 502)

/**
 * A reading that has begun may have been answered before what is told of here. TanStack Query gives up one that is made again; a
 * first one it would wait for, and take for the new state (query-core, `Query.fetch`): it is given up as well.
 */
class ProductQueryClient extends QueryClient {
  override invalidateQueries(
    ...[filters, options]: Parameters<QueryClient['invalidateQueries']>
  ): Promise<void> {
    if (filters?.refetchType !== 'none') {
      const isFirst = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus !== 'idle'
      for (const query of this.getQueryCache().findAll(filters).filter(isFirst))
        void query.cancel({ silent: true })
    }
    return super.invalidateQueries(filters, options)
  }
}

export const queryClient = new ProductQueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isRetryable(error),
    },
  },
})
// A provider would do it, but the app is drawn before this is loaded (deferredQuery.ts): so hooks are bound to the client.
queryClient.mount()

/** What the server says under a key, with the product's client. */
export const useQuery = <T>(options: UseQueryOptions<T>) => useQueryOf(options, queryClient)

/** A list that is loaded page by page, with the product's client. */
export const useInfiniteQuery = <T, Param>(
  options: UseInfiniteQueryOptions<T, Error, InfiniteData<T, Param>, QueryKey, Param>,
) => useInfiniteQueryOf(options, queryClient)

/** For `useDeferredQuery`. */
export const createQueryObserver = <T>(options: QueryObserverOptions<T>): QueryObserver<T> =>
  new QueryObserver(queryClient, options)

/** What loading the next page needs of a list, as useInfiniteQuery returns it. */
export type PagedQuery<Result = unknown> = {
  isFetching: boolean
  isFetchingNextPage: boolean
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<Result>
}

/**
 * Loads the next page of a list. What is asked for anew comes first: TanStack Query would give it up for the page, and leave the
 * pages above as they were (query-core, `Query.fetch`).
 */
export async function loadNextPage<Result>({
  isFetching,
  isFetchingNextPage,
  fetchNextPage,
}: PagedQuery<Result>): Promise<Result> {
  if (isFetching && !isFetchingNextPage) await fetchNextPage({ cancelRefetch: false })
  return fetchNextPage({ cancelRefetch: false })
}
