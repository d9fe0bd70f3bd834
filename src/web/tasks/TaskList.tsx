import { Link } from '@inertiajs/react'
import { clsx } from 'clsx'
import {
  Download,
  FlaskConical,
  Languages,
  Library,
  ListTodo,
  MoreHorizontal,
  ScanText,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import type { Task } from '#contract/tasks/tasks.ts'
import { taskMessages } from '#contract/uploads.ts'
import { formatDateTime } from '#web/core/format.ts'
import { formatFineAmount } from '#web/core/numberFormat.ts'
import { blocksText } from '#web/text/blocks.ts'
import { tasksText as text } from '#web/text/translate/tasks.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Pager } from '#web/ui/layout/Pager.tsx'
import {
  cancelTask,
  deleteTask,
  downloadTranslation,
  isRunning,
  previewTask,
  retryTask,
  TRANSLATION,
  useTasks,
} from './taskCalls.ts'
import { TaskProgress } from './TaskProgress.tsx'

const icons: Record<string, typeof ListTodo> = {
  translation: Languages,
  reading: ScanText,
  indexing: Library,
  evaluation: FlaskConical,
}

/** Shows the person's tasks, the newest first, a page at a time, with live progress. */
export function TaskList() {
  const [page, setPage] = useState(1)
  const [taskToRemove, setTaskToRemove] = useState<Task | null>(null)
  const query = useTasks(page)
  return (
    <section aria-label={text.list}>
      <QueryView
        query={query}
        failed={taskMessages.list_failed}
        skeleton={<ListSkeleton />}
        isEmpty={({ items, cur_page }) => !items.length && cur_page === 1}
        empty={<NoTasks />}
      >
        {(list) => (
          <>
            <ul aria-label={text.list} className="divide-y rounded-xl border">
              {list.items.map((task) => (
                <TaskRow key={task.uuid} task={task} onRemove={() => setTaskToRemove(task)} />
              ))}
            </ul>
            <Pager list={list} onPageChange={setPage} />
          </>
        )}
      </QueryView>
      <ConfirmDialog
        open={taskToRemove !== null}
        onOpenChange={() => setTaskToRemove(null)}
        title={text.removeTitle}
        description={text.removeText(taskToRemove?.name ?? '')}
        confirmLabel={text.remove}
        danger
        onConfirm={async () => {
          if (taskToRemove) await deleteTask(taskToRemove.uuid)
        }}
      />
    </section>
  )
}

const NoTasks = () => (
  <EmptyState
    icon={<ListTodo size={28} />}
    title={text.empty}
    description={text.emptyHint}
    action={
      <Link href="/fanyi?mode=file" className={buttonClass()}>
        {text.emptyAction}
      </Link>
    }
  />
)

function TaskRow({ task, onRemove }: { task: Task; onRemove: () => void }) {
  const { uuid, kind, name, status, done, total, cost } = task
  const Icon = icons[kind] ?? ListTodo
  const isTranslation = kind === TRANSLATION
  const facts = [
    text.kinds[kind] ?? text.otherKind,
    formatDateTime(task.created_at).slice(0, 16),
    ...(cost > 0 ? [text.cost(formatFineAmount(cost))] : []),
  ]
  // A stopped or failed translation can be downloaded as far as it got.
  const isDownloadable = isTranslation && (status === 2 || (status === 3 && done > 0))
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5 md:flex-nowrap">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-lg bg-fill text-ink2">
        <Icon size={18} />
      </span>
      <div className="min-w-0 flex-1 max-md:basis-[calc(100%-3rem)]">
        {isTranslation ? (
          <Link href={`/fanyi?task=${uuid}`} className="block truncate font-medium hover:underline">
            {name}
          </Link>
        ) : (
          <p className="truncate font-medium">{name}</p>
        )}
        <p className="truncate text-note text-ink3 tabular-nums">{facts.join(' · ')}</p>
        {status === 1 && <TaskProgress label={name} done={done} total={total} className="mt-1.5" />}
      </div>
      <p
        className={clsx(
          'text-note tabular-nums max-md:flex-1 max-md:pl-12 md:max-w-64 md:shrink-0 md:text-right',
          status === 3 ? 'text-danger' : isRunning(task) ? 'text-accent' : 'text-ink3',
        )}
      >
        {describeState(task)}
      </p>
      <div className="flex shrink-0 items-center gap-1">
        {isRunning(task) && (
          <Button size="sm" aria-label={text.cancelOf(name)} onClick={() => void cancelTask(uuid)}>
            {text.cancel}
          </Button>
        )}
        {status === 3 && (
          <Button size="sm" aria-label={text.retryOf(name)} onClick={() => void retryTask(uuid)}>
            {text.retry}
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          aria-label={text.previewOf(name)}
          onClick={() => void previewTask(uuid)}
        >
          {text.preview}
        </Button>
        <Menu
          placement="bottom-end"
          items={[
            ...(isDownloadable
              ? [
                  {
                    label: text.download,
                    icon: <Download size={16} />,
                    onSelect: () => void downloadTranslation(uuid, 'translated'),
                  },
                  {
                    label: text.downloadBilingual,
                    icon: <Download size={16} />,
                    onSelect: () => void downloadTranslation(uuid, 'bilingual'),
                  },
                  'separator' as const,
                ]
              : []),
            { label: text.remove, icon: <Trash2 size={16} />, danger: true, onSelect: onRemove },
          ]}
          trigger={(trigger) => (
            <IconButton {...trigger} size="sm" label={text.menu(name)}>
              <MoreHorizontal size={17} aria-hidden />
            </IconButton>
          )}
        />
      </div>
    </li>
  )
}

/** Describes the state of a task in few words. */
function describeState({ status, error, delay, done, total, seconds_left }: Task): string {
  if (status === 3) return error ?? taskMessages.failed
  if (delay !== null) return delay
  if (status !== 1) return text.states[status]
  const percent = total ? text.percent(Math.floor((done / total) * 100)) : text.states[1]
  return seconds_left === null ? percent : `${percent} · ${blocksText.secondsLeft(seconds_left)}`
}

const ListSkeleton = () => (
  <div className="flex flex-col gap-4 rounded-xl border p-3.5">
    {['w-2/5', 'w-1/3', 'w-1/2'].map((width) => (
      <div key={width} className="flex items-center gap-3">
        <Skeleton className="size-9" />
        <Skeleton className={`h-4 ${width}`} />
      </div>
    ))}
  </div>
)
