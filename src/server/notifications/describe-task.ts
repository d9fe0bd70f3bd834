import { errors } from '#contract/errors.ts'
import type { ExecutedTask, TaskEnd } from '#server/tasks/tasks.ts'

const kinds: Record<string, string> = {
  translation: '翻译',
  reading: '文档读取',
  indexing: '索引建立',
  evaluation: '智能体自测',
}

/** Returns the message about an ended task; null if its owner stopped it. */
export function describeTask({ id, kind, name }: ExecutedTask, { state, code }: TaskEnd) {
  if (state === 'cancelled') return null
  const work = kinds[kind] ?? '后台任务'
  const isDone = state === 'done'
  return {
    channel: 'task' as const,
    title: isDone ? `${work}已完成` : `${work}没有完成`,
    text: isDone ? `“${name}”已经可以查看了。` : `“${name}”：${errors[code ?? 'internal'].message}。`,
    link: kind === 'translation' ? `/fanyi?task=${id}` : '/profile/tasks',
  }
}
