const FIRST_WAIT_MS = 1_000

/** Waits for the network to come back; if it is not known to be cut, longer with every try. Rejects when the signal aborts. */
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
