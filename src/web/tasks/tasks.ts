import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export {
  cancelTask,
  downloadTranslation,
  isRunning,
  retryTask,
  tasksKey,
  TRANSLATION,
  useTasks,
} from './taskCalls.ts'
export { TaskProgress } from './TaskProgress.tsx'

export const TaskList = lazyComponent(async () => ({ default: (await import('./TaskList.tsx')).TaskList }))
