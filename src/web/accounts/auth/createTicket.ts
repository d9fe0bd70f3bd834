import { request } from '#web/core/api.ts'
import { authText } from '#web/text/auth.ts'
import { askCaptcha } from './captcha.ts'
import type { Challenge } from './proofOfWorkWorker.ts'

type Ticket = { ticket: string; rand_str?: string }

/**
 * Proves that a person asks: by Tencent Captcha where it is configured, else by a proof of work, which nobody notices. Throws
 * ApiError, or Error where the browser cannot compute it.
 */
export const createTicket = async (captchaAppId: string | null): Promise<Ticket> =>
  captchaAppId === null ? { ticket: await solveChallenge() } : askCaptcha(captchaAppId)

async function solveChallenge(): Promise<string> {
  const challenge: Challenge = await request('GET /auth/challenge', {}, { failed: authText.sendFailed })
  // In a worker, because the page's policy forbids WebAssembly, and the browser's own SHA-256 is missing on plain HTTP.
  const worker = createWorker()
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<string | null>) =>
        data === null ? reject(new Error('the challenge could not be solved')) : resolve(data),
      )
      worker.addEventListener('error', () => reject(new Error('the worker could not be loaded')))
      worker.postMessage(challenge)
    })
  } finally {
    worker.terminate()
  }
}

function createWorker(): Worker {
  if (!import.meta.env.DEV)
    return new Worker(new URL('./proofOfWorkWorker.ts', import.meta.url), { type: 'module' })
  // The development server has another origin, from which a page may import a module but not start a worker.
  const source = `import ${JSON.stringify(new URL('./proofOfWorkWorker.ts', import.meta.url).href)}`
  return new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })), { type: 'module' })
}
