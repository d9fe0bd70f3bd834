import { afterEach } from 'vitest'
import { cleanup } from 'vitest-browser-react'

// Vitest runs this before each file. The files share one page, and the library clears it by itself in the first of them alone.
afterEach(() => cleanup())
