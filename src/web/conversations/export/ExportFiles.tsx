import { Braces, FileText, FileType, Image } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { lazyModule } from '#web/core/lazyModule.ts'
import { withModule } from '#web/ui/lazy/withModule.ts'
import { useCommands } from '#web/conversations/commands/commands.ts'
import { exportText } from '#web/text/export.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { MenuItem } from '#web/ui/Menu.tsx'
import { type ExportFormat, exportFormats, type ExportProgress } from './transcript.ts'

/** A quicker export shows no dialog, only its file. */
const DIALOG_DELAY_MS = 400

const getExportModule = lazyModule(() => import('./exportFile.ts'))

const icons = { markdown: FileText, json: Braces, word: FileType, picture: Image }

/** Menu items, one for each file format. */
const createExportItems = (onExport: (format: ExportFormat) => void): MenuItem[] =>
  exportFormats.map((format) => {
    const Icon = icons[format]
    return {
      label: exportText.formats[format],
      description: exportText.hints[format],
      icon: <Icon size={16} />,
      onSelect: () => onExport(format),
    }
  })

type Props = {
  sess_id: string
  /** Draws the button or menu that offers the formats. */
  render: (formats: MenuItem[]) => ReactNode
}

/** Exports a conversation from the menu that `render` draws, with a dialog while it takes long. */
export default function ExportFiles({ sess_id, render }: Props) {
  const abortRef = useRef<AbortController>(null)
  const [progress, setProgress] = useState<ExportProgress | null>(null)
  const [isSlow, setIsSlow] = useState(false)

  const startExport = async (format: ExportFormat) => {
    const controller = new AbortController()
    abortRef.current = controller
    setProgress({ read: 0 })
    const dialogTimer = setTimeout(() => setIsSlow(true), DIALOG_DELAY_MS)
    const onProgress = (next: ExportProgress) => !controller.signal.aborted && setProgress(next)
    await withModule(getExportModule, ({ exportConversation }) =>
      exportConversation(sess_id, format, { signal: controller.signal, onProgress }),
    )
    clearTimeout(dialogTimer)
    if (abortRef.current === controller) finish()
  }
  const finish = () => {
    setProgress(null)
    setIsSlow(false)
  }
  useCommands({
    exportMarkdown: () => void startExport('markdown'),
    exportJson: () => void startExport('json'),
    exportWord: () => void startExport('word'),
    exportPicture: () => void startExport('picture'),
  })
  const cancel = () => {
    abortRef.current?.abort()
    finish()
  }

  return (
    <>
      {render(createExportItems((format) => void startExport(format)))}
      <Dialog
        open={isSlow && progress !== null}
        onOpenChange={(open) => !open && cancel()}
        title={exportText.working}
        footer={<Button onClick={cancel}>{exportText.cancel}</Button>}
      >
        {progress && <ProgressBar progress={progress} />}
      </Dialog>
    </>
  )
}

function ProgressBar({ progress }: { progress: ExportProgress }) {
  const percent = 'percent' in progress ? progress.percent : undefined
  const label =
    'percent' in progress ? exportText.drawing(progress.percent) : exportText.reading(progress.read)
  return (
    <div>
      <progress
        aria-label={exportText.working}
        max={100}
        {...(percent === undefined ? {} : { value: percent })}
        className="h-1 w-full accent-(--ink)"
      />
      <p className="mt-2 text-note text-ink2 tabular-nums">{label}</p>
    </div>
  )
}
