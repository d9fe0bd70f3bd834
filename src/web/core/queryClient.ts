import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

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
