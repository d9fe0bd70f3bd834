const FIRST_WAIT_MS = 1_000

/** Until the network is back, or longer with every try where the browser knows of no cut. Rejects when the signal aborts. */
export async function waitForNetwork(tries: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = navigator.onLine
      ? setTimeout(() => end(resolve), FIRST_WAIT_MS * 2 ** (tries - 1))
      : undefined
    const end = (settle: () => void) => {
      clearTimeout(timer)
      removeEventListener('online', onOnline)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onOnline = () => end(resolve)
    const onAbort = () => end(() => reject(signal.reason as Error))
    addEventListener('online', onOnline)
    signal.addEventListener('abort', onAbort)
  })
}
