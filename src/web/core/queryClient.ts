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

/** A refusal is final; only accidents of the network and a busy server are worth another try. */
const isRetryable = (error: Error) => error instanceof ApiError && (error.status === 0 || error.status >= 502)

/**
 * A request in flight may have been answered before the change announced here. TanStack Query restarts a refetch, but would wait
 * for a first fetch and take it for the new state (query-core, `Query.fetch`); so that one is cancelled too.
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
// A provider is not possible, because the app is drawn before this is loaded (deferredQuery.ts): hooks get the client directly.
queryClient.mount()

/** `useQuery` with the product's client. */
export const useQuery = <T>(options: UseQueryOptions<T>) => useQueryOf(options, queryClient)

/** `useInfiniteQuery` with the product's client. */
export const useInfiniteQuery = <T, Param>(
  options: UseInfiniteQueryOptions<T, Error, InfiniteData<T, Param>, QueryKey, Param>,
) => useInfiniteQueryOf(options, queryClient)

/** Creates the observer that `useDeferredQuery` needs. */
export const createQueryObserver = <T>(options: QueryObserverOptions<T>): QueryObserver<T> =>
  new QueryObserver(queryClient, options)

/** The parts of useInfiniteQuery's result that `loadNextPage` needs. */
export type PagedQuery<Result = unknown> = {
  isFetching: boolean
  isFetchingNextPage: boolean
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<Result>
}

/**
 * Loads the next page of a list, after a refetch in flight: TanStack Query would cancel that for the page, and leave the pages
 * above as they were (query-core, `Query.fetch`).
 */
export async function loadNextPage<Result>({
  isFetching,
  isFetchingNextPage,
  fetchNextPage,
}: PagedQuery<Result>): Promise<Result> {
  if (isFetching && !isFetchingNextPage) await fetchNextPage({ cancelRefetch: false })
  return fetchNextPage({ cancelRefetch: false })
}
