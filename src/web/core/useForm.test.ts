import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './api.ts'
import { createForm } from './useForm.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const empty = { name: '', models: [] as string[] }
const openForm = () => {
  const form = createForm(empty)
  return { ...form, state: () => form.store.getState() }
}
const refuse = (errors: Record<string, string>) => () =>
  Promise.reject(new ApiError(422, { message: '内容有误', errors }))

test('a form is dirty while its data differ from what was saved', async () => {
  const { state, setData, reset, submit } = openForm()
  setData({ models: ['a'] })
  expect(state()).toMatchObject({ data: { name: '', models: ['a'] }, isDirty: true })
  setData({ models: [] })
  expect(state().isDirty).toBe(false)
  setData({ name: '一' })
  await submit(async () => {})
  expect(state()).toMatchObject({ data: { name: '一' }, isDirty: false })
  setData({ name: '二' })
  reset()
  expect(state().data.name).toBe('一')
  reset({ name: '三', models: [] })
  expect(state()).toMatchObject({ data: { name: '三' }, isDirty: false })
})

test('success is recent for two seconds', async () => {
  const { state, submit } = openForm()
  await submit(async () => {})
  expect(state()).toMatchObject({ wasSuccessful: true, recentlySuccessful: true, processing: false })
  vi.advanceTimersByTime(1_999)
  expect(state().recentlySuccessful).toBe(true)
  vi.advanceTimersByTime(1)
  expect(state()).toMatchObject({ wasSuccessful: true, recentlySuccessful: false })
})

test('a second submit takes the success of the first back, and counts its own two seconds', async () => {
  const { state, submit } = openForm()
  await submit(async () => {})
  vi.advanceTimersByTime(1_500)
  await submit(refuse({}))
  expect(state()).toMatchObject({ wasSuccessful: false, recentlySuccessful: false })
  await submit(async () => {})
  vi.advanceTimersByTime(1_500)
  expect(state().recentlySuccessful).toBe(true)
})

test('what is on its way is not sent twice, and reports its progress', async () => {
  const { state, submit } = openForm()
  const submission = Promise.withResolvers<string>()
  const send = vi.fn<(data: unknown, onProgress: (share: number) => void) => Promise<string>>(
    (_, onProgress) => {
      onProgress(0.5)
      return submission.promise
    },
  )
  const onSuccess = vi.fn<(result: string) => void>()
  const first = submit(send, { onSuccess })
  expect(state()).toMatchObject({ processing: true, progress: 0.5 })
  await submit(send, { onSuccess })
  submission.resolve('saved')
  await first
  expect(send).toHaveBeenCalledTimes(1)
  expect(onSuccess.mock.calls).toEqual([['saved']])
  expect(state()).toMatchObject({ processing: false, progress: null })
})

test('reasons of the server stand beside their fields, until the next try', async () => {
  const { state, submit } = openForm()
  const onError = vi.fn<(errors: object) => void>()
  await submit(refuse({ name: '必填', 'models.1': '没有这个模型' }), { onError })
  expect(state()).toMatchObject({ errors: { name: '必填', models: '没有这个模型' }, wasSuccessful: false })
  expect(onError).toHaveBeenCalledExactlyOnceWith({ name: '必填', models: '没有这个模型' })
  const again = submit(async () => {})
  expect(state().errors).toEqual({})
  await again
  await submit(() => Promise.reject(new ApiError(503, { message: '稍后再试' })))
  expect(state().errors).toEqual({ form: '稍后再试' })
})

test('what is invalid is not sent', async () => {
  const { state, submit } = openForm()
  const send = vi.fn<() => Promise<void>>(async () => {})
  await submit(send, { validate: ({ name }) => (name ? {} : { name: '必填' }) })
  expect(send).not.toHaveBeenCalled()
  expect(state()).toMatchObject({ errors: { name: '必填' }, processing: false })
})

test('a mistake in the code is no reason of the server', async () => {
  const { state, submit } = openForm()
  await expect(submit(() => Promise.reject(new TypeError('mistake')))).rejects.toThrow('mistake')
  expect(state()).toMatchObject({ processing: false, errors: {} })
})
