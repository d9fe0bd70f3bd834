import { afterAll, vi } from 'vitest'

// Vitest runs this before each file. Many files share one process: what one puts in place of a global must end with it.
afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})
