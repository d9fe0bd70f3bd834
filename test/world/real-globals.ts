import { afterAll, vi } from 'vitest'

// Vitest runs this before each file. Many files share one process: a replaced global must end with its file.
afterAll(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})
