import { Braces, Download, FileText, FileType, Image } from 'lucide-react'
import { useRef, useState } from 'react'
import { code, withCode } from '../../ui/code.ts'
import { useCommands } from '../../shortcuts/handlers.ts'
import { exportText } from '../../text/export.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { type Format, formats, type Progress } from './transcript.ts'

/** An export that is done sooner shows nothing but its file. */
const PATIENCE_MS = 400

const exporting = code(() => import('./exportChat.ts'))

const icons = { markdown: FileText, json: Braces, word: FileType, picture: Image }

/** One item a file format, for whatever menu offers them. */
export const exportItems = (onExport: (format: Format) => void): MenuItem[] =>
  formats.map((format) => {
    const Icon = icons[format]
    return {
      label: exportText.formats[format],
      description: exportText.hints[format],
      icon: <Icon size={16} />,
      onSelect: () => onExport(format),
    }
  })

/** The conversation's export in the top bar, with what can be seen of it while it is being made. */
export default function ExportMenu({ sess_id }: { sess_id: string }) {
  const job = useRef<AbortController>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [slow, setSlow] = useState(false)

  const start = async (format: Format) => {
    const controller = new AbortController()
    job.current = controller
    setProgress({ read: 0 })
    const patience = setTimeout(() => setSlow(true), PATIENCE_MS)
    const onProgress = (now: Progress) => !controller.signal.aborted && setProgress(now)
    await withCode(exporting, ({ exportConversation }) =>
      exportConversation(sess_id, format, { signal: controller.signal, onProgress }),
    )
    clearTimeout(patience)
    if (job.current === controller) end()
  }
  const end = () => {
    setProgress(null)
    setSlow(false)
  }
  useCommands({
    exportMarkdown: () => void start('markdown'),
    exportJson: () => void start('json'),
    exportWord: () => void start('word'),
    exportPicture: () => void start('picture'),
  })
  const cancel = () => {
    job.current?.abort()
    end()
  }

  return (
    <>
      <Menu
        placement="bottom-end"
        className="w-60"
        items={exportItems((format) => void start(format))}
        trigger={(props) => (
          <IconButton {...props} label={exportText.menu} className="ml-auto">
            <Download size={18} aria-hidden />
          </IconButton>
        )}
      />
      <Dialog
        open={slow && progress !== null}
        onOpenChange={(open) => !open && cancel()}
        title={exportText.working}
        footer={<Button onClick={cancel}>{exportText.cancel}</Button>}
      >
        {progress && <Bar progress={progress} />}
      </Dialog>
    </>
  )
}

function Bar({ progress }: { progress: Progress }) {
  const percent = 'percent' in progress ? progress.percent : undefined
  const words =
    'percent' in progress ? exportText.drawing(progress.percent) : exportText.reading(progress.read)
  return (
    <div>
      <progress
        aria-label={exportText.working}
        max={100}
        {...(percent === undefined ? {} : { value: percent })}
        className="h-1 w-full accent-(--ink)"
      />
      <p className="mt-2 text-[13px] text-ink2 tabular-nums">{words}</p>
    </div>
  )
}
