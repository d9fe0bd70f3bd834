import { Link } from '@inertiajs/react'
import { FileText, Globe, Languages, Upload } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { uploadMessages } from '#contract/uploads.ts'
import type { UserInfo } from '#contract/users.ts'
import { request } from '#web/core/api.ts'
import {
  embedLink,
  FileDrop,
  FileIcon,
  getUploadModule,
  LinkField,
  rememberBlock,
  removeUpload,
  UploadRow,
  useUploads,
} from '#web/files/files.ts'
import { isRunning, TaskProgress, TRANSLATION, useTasks } from '#web/tasks/tasks.ts'
import { documentsText as text } from '#web/text/translate/documents.ts'
import { filesText } from '#web/text/files.ts'
import { tasksText } from '#web/text/translate/tasks.ts'
import { translateText } from '#web/text/translate/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { FileInput } from '#web/ui/form/FileInput.tsx'
import { withModule } from '#web/ui/lazy/withModule.ts'
import { SignInGate } from '#web/ui/SignInGate.tsx'
import { toast } from '#web/ui/toast.ts'
import { FANYI } from '../text/translateText.ts'
import { useTextTranslation } from '../text/textStore.ts'
import { PendingCard } from './PendingCard.tsx'
import { addPending, usePendingDocuments, type DocumentKind } from './pendingDocuments.ts'

type Props = { kind: DocumentKind; model: string | null }

/** Adds files or web pages, shows their cost, starts them, and lists the latest translations. */
export function DocumentTranslation({ kind, model }: Props) {
  const documents = usePendingDocuments((state) => state.documents).filter((one) => one.kind === kind)
  return (
    <SignInGate
      icon={kind === 'file' ? <FileText size={28} /> : <Globe size={28} />}
      title={text.signIn}
      description={text.signInHint}
    >
      {(user) => (
        <>
          {kind === 'file' ? <FileForm user={user} /> : <LinkForm />}
          {documents.map(({ block }) => (
            <PendingCard key={block.id} block={block} kind={kind} model={model} />
          ))}
          <RecentTranslations />
        </>
      )}
    </SignInGate>
  )
}

function FileForm({ user }: { user: UserInfo }) {
  const picker = useRef<HTMLInputElement>(null)
  const uploads = useUploads((state) => state.uploads).filter(({ channel }) => channel === FANYI)
  const add = (files: File[]) => {
    // Specification section 4: while a translation runs, new uploads are refused.
    if (useTextTranslation.getState().status === 'typing') return toast.error(uploadMessages.unfinished)
    void withModule(getUploadModule, ({ addUploads }) =>
      addUploads(files, { channel: FANYI, level: user.level }),
    )
  }
  const finishedUploads = uploads.filter(({ state }) => state === 'done')
  const onFinished = useEffectEvent(() => {
    for (const { key, block } of finishedUploads) {
      if (block) addPending(block, 'file')
      removeUpload(key)
    }
  })
  useEffect(() => onFinished(), [finishedUploads.length])
  return (
    <>
      <FileDrop onFiles={add} />
      <div className="flex flex-col items-center rounded-2xl border border-dashed border-line2 px-6 py-10 text-center md:py-14">
        <span
          aria-hidden
          className="mb-3 grid size-12 place-items-center rounded-2xl bg-accent-soft text-accent"
        >
          <Upload size={22} />
        </span>
        <p className="mb-4 font-medium max-md:hidden">{text.drop}</p>
        <FileInput ref={picker} onFiles={add} />
        <Button variant="primary" size="lg" onClick={() => picker.current?.click()}>
          {text.choose}
        </Button>
        <p className="mt-4 max-w-xl text-note text-ink2">{text.formats}</p>
        <p className="mt-1 text-note text-ink3">{text.formatsHint}</p>
      </div>
      {uploads.length > 0 && (
        <ul aria-label={filesText.uploads} className="mt-3 divide-y rounded-xl border">
          {uploads.map((upload) => (
            <UploadRow key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
    </>
  )
}

const LinkForm = () => (
  <div className="rounded-2xl border border-dashed border-line2 px-5 py-8 md:px-10 md:py-12">
    <div className="mx-auto max-w-2xl">
      <div className="flex">
        <LinkField
          label={text.link}
          placeholder={text.linkPlaceholder}
          action={text.linkAdd}
          onAdd={addLink}
        />
      </div>
      <p className="mt-2.5 text-note text-ink3">{text.linkHint}</p>
    </div>
  </div>
)

async function addLink(url: string): Promise<boolean> {
  const response = await embedLink(() =>
    request('GET /api/block/link/extract', { query: { url, channel: FANYI } }),
  )
  if (!response) return false
  rememberBlock(response.data)
  addPending(response.data, 'link')
  return true
}

/** Number of translations shown below the form; the tasks page lists the others. */
const MAX_RECENT = 5

function RecentTranslations() {
  const { data } = useTasks(1)
  const tasks = data?.items.filter(({ kind }) => kind === TRANSLATION).slice(0, MAX_RECENT) ?? []
  if (!tasks.length) return null
  return (
    <section aria-label={text.recent} className="mt-8">
      <div className="mb-2 flex items-center justify-between">
        <h2 className="text-note font-medium text-ink2">{text.recent}</h2>
        <Link href="/profile/tasks" className="text-note text-accent hover:underline max-md:py-3">
          {translateText.tasks}
        </Link>
      </div>
      <ul aria-label={text.recent} className="divide-y rounded-xl border">
        {tasks.map((task) => (
          <li
            key={task.uuid}
            className="relative flex items-center gap-3 px-3.5 py-2.5 transition-colors first:rounded-t-xl last:rounded-b-xl hover:bg-fill/60"
          >
            <FileIcon type="" name={task.name} />
            <div className="min-w-0 flex-1">
              <Link
                href={`/fanyi?task=${task.uuid}`}
                className="block truncate font-medium after:absolute after:inset-0 after:rounded-[inherit]"
              >
                {task.name}
              </Link>
              {isRunning(task) && (
                <TaskProgress label={task.name} done={task.done} total={task.total} className="mt-1.5" />
              )}
            </div>
            <span className="flex shrink-0 items-center gap-1.5 text-note text-ink3">
              <Languages size={15} aria-hidden />
              {tasksText.states[task.status]}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
