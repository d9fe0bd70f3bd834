import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, fromNetwork, request, requestRaw } from './api.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A response whose connection is cut after its first bytes. */
const createCutAnswer = () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"code"')),
      pull: (controller) => controller.error(new TypeError('network error')),
    }),
  )
const answerWith = (createAnswer: () => Response) =>
  vi.stubGlobal('fetch', () => Promise.resolve(createAnswer()))
const askForPlans = (signal?: AbortSignal) => request('GET /api/credit/plans', {}, signal ? { signal } : {})
const networkError = new ApiError(0, {})

test('an answer that is cut, or is no JSON, is the network’s fault', async () => {
  for (const createAnswer of [createCutAnswer, () => new Response('{"code"'), () => new Response('<p>')]) {
    answerWith(createAnswer)
    const error: unknown = await askForPlans().catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 0, code: 'network', message: networkError.message })
  }
})

test('a failed call says what the server says, and where that says nothing, or nothing arrives, the words of its own', async () => {
  const ask = () => request('GET /api/credit/plans', {}, { failed: '套餐加载失败' })
  const refusal = JSON.stringify({ message: '服务繁忙' })
  const answers: [message: string, answer: () => Response][] = [
    ['服务繁忙', () => new Response(refusal, { status: 503 })],
    ['套餐加载失败', () => new Response('<p>', { status: 502 })],
    ['套餐加载失败', createCutAnswer],
  ]
  for (const [message, createAnswer] of answers) {
    answerWith(createAnswer)
    await expect(ask()).rejects.toMatchObject({ message })
  }
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network error')))
  await expect(ask()).rejects.toMatchObject({ status: 0, message: '套餐加载失败' })
  await expect(askForPlans()).rejects.toMatchObject({ message: networkError.message })
})

test('a file that is cut is the network’s fault', async () => {
  answerWith(createCutAnswer)
  const response = await requestRaw('GET /api/user/account/export', {})
  await expect(fromNetwork(response.blob())).rejects.toMatchObject({ name: 'ApiError', status: 0 })
})

test('an answer that its caller gave up is no failed call', async () => {
  const controller = new AbortController()
  answerWith(() => {
    controller.abort()
    return createCutAnswer()
  })
  await expect(askForPlans(controller.signal)).rejects.not.toBeInstanceOf(ApiError)
})

test('a refused call keeps its status though its body is cut', async () => {
  answerWith(() => new Response(createCutAnswer().body, { status: 409 }))
  await expect(askForPlans()).rejects.toMatchObject({ name: 'ApiError', status: 409 })
})
