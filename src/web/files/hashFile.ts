import type { Md5Message } from './md5Worker.ts'

/**
 * The MD5 of a file, computed in a worker. Rejects with the signal's reason when that aborts, and when the file cannot be read,
 * because it was changed or deleted after it was chosen.
 */
export function hashFile(
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const worker = createWorker()
    const end = (settle: () => void) => {
      worker.terminate()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = () => end(() => reject(signal.reason as Error))
    signal.addEventListener('abort', onAbort)
    worker.addEventListener('message', ({ data }: MessageEvent<Md5Message>) => {
      if ('share' in data) onProgress(data.share)
      else if ('md5' in data) end(() => resolve(data.md5))
      else end(() => reject(new Error('the file cannot be read')))
    })
    worker.addEventListener('error', () => end(() => reject(new Error('the worker failed'))))
    worker.postMessage(file)
  })
}

function createWorker(): Worker {
  if (!import.meta.env.DEV) return new Worker(new URL('./md5Worker.ts', import.meta.url), { type: 'module' })
  // Vite's server has another origin, from which no worker may start here; a script of this origin imports the worker.
  const source = `import ${JSON.stringify(new URL('./md5Worker.ts', import.meta.url).href)}`
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  return new Worker(url, { type: 'module' })
}
