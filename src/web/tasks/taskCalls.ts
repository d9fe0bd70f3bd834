import { router } from '@inertiajs/react'
import type { Task } from '#contract/tasks/tasks.ts'
import type { TranslationMode } from '#contract/translate/documents.ts'
import { taskMessages } from '#contract/uploads.ts'
import { ApiError, fromNetwork, request, requestRaw } from '#web/core/api.ts'
import { keepPreviousData, queryClient, useQuery } from '#web/core/queryClient.ts'
import { tasksText } from '#web/text/translate/tasks.ts'
import { download } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.ts'
import { withToast } from '#web/ui/withToast.ts'

export const tasksKey = ['tasks'] as const
/** The kind of task that translates a document. */
export const TRANSLATION = 'translation'

/** Poll intervals with and without running tasks, milliseconds. Another device or page may have started a task. */
const RUNNING_POLL_MS = 1_000
const IDLE_POLL_MS = 15_000

export const isRunning = ({ status }: Pick<Task, 'status'>): boolean => status < 2

/** Loads a page of the person's tasks, the newest first, and polls it at the rate of its progress. */
export const useTasks = (page: number) =>
  useQuery({
    queryKey: [...tasksKey, 'list', page],
    queryFn: ({ signal }) => request('GET /api/tasks', { query: { page } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.items.some(isRunning) ? RUNNING_POLL_MS : IDLE_POLL_MS),
    placeholderData: keepPreviousData,
  })

/** Changes a task. A refusal is shown in the server's words, any other failure in the specification's (section 8, Tasks). */
async function change(
  run: () => Promise<unknown>,
  words: { done: string; failed: string },
): Promise<boolean> {
  try {
    await run()
    toast.success(words.done)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isRefused = error.status >= 400 && error.status < 500
    toast.error(isRefused ? error.message : words.failed)
    return false
  } finally {
    void queryClient.invalidateQueries({ queryKey: tasksKey })
  }
}

export const retryTask = (id: string): Promise<boolean> =>
  change(() => request('POST /api/task/{id}/retry', { params: { id } }), {
    done: tasksText.retried,
    failed: taskMessages.retry_failed,
  })

export const cancelTask = (id: string): Promise<boolean> =>
  change(() => request('POST /api/task/{id}/cancel', { params: { id } }), {
    done: tasksText.cancelled,
    failed: tasksText.cancelFailed,
  })

export const deleteTask = (id: string): Promise<boolean> =>
  change(() => request('DELETE /api/task/{id}', { params: { id } }), {
    done: tasksText.removed,
    failed: taskMessages.delete_failed,
  })

/** Opens the result of a task, or shows why there is none (specification sections 4 and 8). */
export async function previewTask(id: string): Promise<void> {
  try {
    const { status, data } = await request('GET /api/task/{id}/result', { params: { id }, query: {} })
    if (status < 2) return toast.error(taskMessages.running)
    if (status === 3) return toast.error(taskMessages.failed)
    if (!data) return toast.error(tasksText.gone)
    if (data.kind === 'translation') router.visit(`/fanyi?task=${id}`)
    else if (data.kind === 'evaluation') router.visit(`/agent/${data.agent}/edit`)
    else router.visit(`/block/${data.block}`)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast.error(taskMessages.preview_failed)
  }
}

/** Saves a translated document; if it was stopped, the finished part. */
export async function downloadTranslation(id: string, mode: TranslationMode): Promise<void> {
  await withToast(async () => {
    const response = await requestRaw('GET /api/task/{id}/file', { params: { id }, query: { mode } })
    const [, name = ''] =
      /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('Content-Disposition') ?? '') ?? []
    download(await fromNetwork(response.blob()), decodeURIComponent(name) || tasksText.download)
  })
}
