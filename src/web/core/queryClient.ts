import {
  type InfiniteData,
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

export const queryClient = new QueryClient({
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
