import { Worker } from 'node:worker_threads'

/** Starts the thread that PGlite runs in. It loads its code, and opens nothing until it is sent a directory. */
export const startDatabaseThread = (): Worker => new Worker(new URL('./worker.ts', import.meta.url))
