import { Link } from '@inertiajs/react'
import { History, SlidersHorizontal, SquarePen, Table2, Trophy } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { SessionActions } from '#web/conversations/session-actions/session-actions.tsx'
import { SettingsDialog } from '#web/conversations/session-settings/session-settings.ts'
import { chatText } from '#web/text/chat.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { scoreboardText } from '#web/text/compare/scoreboard.ts'
import { lazyModule } from '#web/core/lazyModule.ts'
import { openOwnUrl } from '#web/core/openUrl.ts'
import { HeaderActions } from '#web/ui/layout/HeaderActions.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { withModule } from '#web/ui/lazy/withModule.ts'
import { withToast } from '#web/ui/withToast.ts'

const getCsvModule = lazyModule(() => import('./state/figuresCsv.ts'))
const getOnClose = ({ onClose }: { onClose: () => void }) => onClose
const ScoreboardDialog = lazyComponent(() => import('./ScoreboardDialog.tsx'), { getOnClose })
const HistoryDialog = lazyComponent(() => import('./HistoryDialog.tsx'), { getOnClose })

type Props = {
  /** The session; null while there is none. */
  sess_id: string | null
  title: string
  hasMessages: boolean
  getName: (model: string) => string
  /** Gives the comparison a session, where it has none yet. */
  ensureSession: () => Promise<string>
}

type OpenDialog = 'history' | 'scoreboard' | 'settings' | null

/** The comparison's part of the top bar. */
export function CompareHeader({ sess_id, title, hasMessages, getName, ensureSession }: Props) {
  const [open, setOpen] = useState<OpenDialog>(null)
  const close = () => setOpen(null)
  const openSettings = () => void withToast(() => ensureSession().then(() => setOpen('settings')))
  const before = [
    { label: compareText.sessions, icon: History, onSelect: () => setOpen('history') },
    { label: scoreboardText.title, icon: Trophy, onSelect: () => setOpen('scoreboard') },
  ]
  const settings = { label: chatText.settings, icon: SlidersHorizontal, onSelect: openSettings }
  return (
    <>
      <h1 className="ml-1 min-w-0 flex-1 truncate font-semibold">{title}</h1>
      <div className="ml-auto flex shrink-0 items-center gap-1">
        {sess_id && (
          <Link
            href="/compare"
            onClick={(event) => openOwnUrl(event, '/compare')}
            aria-label={compareText.newComparison}
            data-tooltip={compareText.newComparison}
            className="inline-flex size-9 items-center justify-center rounded-lg text-ink2 transition-colors hover:bg-fill hover:text-ink max-md:hidden"
          >
            <SquarePen size={18} aria-hidden />
          </Link>
        )}
        {sess_id && hasMessages ? (
          <SessionActions
            sess_id={sess_id}
            before={before}
            after={[settings]}
            moreFiles={[
              {
                label: compareText.exportCsv,
                description: compareText.exportCsvHint,
                icon: <Table2 size={16} />,
                onSelect: () =>
                  void withModule(getCsvModule, ({ exportFigures }) =>
                    withToast(() => exportFigures(sess_id, getName)),
                  ),
              },
            ]}
          />
        ) : (
          <HeaderActions actions={[...before, settings]} />
        )}
      </div>
      {/* Out of the top bar: a dialog is no part of the page's banner. */}
      {createPortal(
        <>
          {open === 'history' && <HistoryDialog onClose={close} />}
          {open === 'scoreboard' && <ScoreboardDialog onClose={close} />}
          {sess_id && (
            <SettingsDialog
              id={sess_id}
              open={open === 'settings'}
              onOpenChange={(next) => !next && close()}
              onSession={() => {}}
            />
          )}
        </>,
        document.body,
      )}
    </>
  )
}
