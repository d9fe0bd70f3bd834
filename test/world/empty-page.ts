import { afterEach } from 'vitest'
import { cleanup } from 'vitest-browser-react'

// Vitest runs this before each file. The files share one page, which the library itself clears only in the first of them.
afterEach(() => cleanup())
