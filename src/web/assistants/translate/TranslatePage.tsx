import { Link, router } from '@inertiajs/react'
import { BookA, FileX, History, SquarePen } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { openOwnUrl } from '#web/core/openUrl.ts'
import { usePageUrl } from '#web/core/page.ts'
import { useUser } from '#web/core/user.ts'
import { ModelPicker, useModelChoice } from '#web/conversations/model-picker/model-picker.tsx'
import { documentsText } from '#web/text/translate/documents.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { uiText } from '#web/text/ui.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { HeaderActions } from '#web/ui/layout/HeaderActions.tsx'
import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'
import { SignInGate } from '#web/ui/SignInGate.tsx'
import { resolveTarget, useTranslationSettings } from './settings.ts'
import { clearText, loadTranslation, useTextTranslation } from './text/textStore.ts'
import { TextTranslation } from './text/TextTranslation.tsx'
import { ToneMenu } from './text/ToneMenu.tsx'
import { FANYI } from './text/translateText.ts'

const getOnClose = ({ onClose }: { onClose: () => void }) => onClose
const GlossaryDialog = lazyComponent(() => import('./GlossaryDialog.tsx'), { getOnClose })
const HistoryDialog = lazyComponent(() => import('./HistoryDialog.tsx'), { getOnClose })
const DocumentTranslation = lazyComponent(async () => ({
  default: (await import('./documents/DocumentTranslation.tsx')).DocumentTranslation,
}))
const TranslationView = lazyComponent(async () => ({
  default: (await import('./documents/TranslationView.tsx')).TranslationView,
}))

type RenderPage = (page: { title: string; header: ReactNode; children: ReactNode }) => ReactNode

const modes = ['text', 'file', 'link'] as const
type Mode = (typeof modes)[number]
const toUrl = (mode: Mode): string => (mode === 'text' ? '/fanyi' : `/fanyi?mode=${mode}`)

/** Puts the translation into the address, unless the person has moved on meanwhile. */
function setSessionInUrl(sessId: string): void {
  const query = new URLSearchParams(location.search)
  if (location.pathname !== '/fanyi' || query.has('mode') || query.has('task')) return
  if (query.get('sess_id') !== sessId)
    router.replace({ url: `/fanyi?sess_id=${sessId}`, preserveState: true, preserveScroll: true })
}

/**
 * Translates a text, or files and web pages (`?mode=`). `?sess_id=` names an earlier translation of a text, `?task=` one of a
 * document.
 */
export function TranslatePage({ renderPage }: { renderPage: RenderPage }) {
  const { searchParams } = usePageUrl()
  const task = searchParams.get('task')
  const sessId = searchParams.get('sess_id')
  const mode = modes.find((one) => one === searchParams.get('mode')) ?? 'text'
  const isGuest = useUser() === null
  const choice = useModelChoice(isGuest, FANYI)
  const model = choice.model?.id ?? null
  useEffect(() => {
    if (sessId && !isGuest) void loadTranslation(sessId)
  }, [sessId, isGuest])
  return renderPage({
    title: text.title,
    header: <TranslateHeader model={<ModelPicker modelChoice={choice} conversation_id={FANYI} />} />,
    children: (
      <div {...{ 'scroll-region': '' }} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <h1 className="sr-only">{text.title}</h1>
        {task ? (
          <SignInGate
            icon={<FileX size={28} />}
            title={uiText.signInToSee}
            description={documentsText.signInToSeeHint}
          >
            {() => <TranslationView key={task} id={task} />}
          </SignInGate>
        ) : (
          <div className="mx-auto w-full max-w-6xl px-4 pt-1 pb-10 md:px-6">
            <div className="mb-2.5 flex items-center justify-between gap-2">
              <ModeTabs mode={mode} />
              {mode === 'text' && <ToneMenu />}
            </div>
            {mode === 'text' ? (
              <TextTranslation model={model} onSession={setSessionInUrl} />
            ) : (
              <DocumentTranslation kind={mode} model={model} />
            )}
          </div>
        )}
      </div>
    ),
  })
}

const ModeTabs = ({ mode }: { mode: Mode }) => (
  <nav aria-label={text.modes} className="flex gap-1">
    {modes.map((one) => (
      <Link
        key={one}
        href={toUrl(one)}
        preserveState
        aria-current={one === mode ? 'page' : undefined}
        className="inline-flex h-9 items-center rounded-full px-3.5 whitespace-nowrap text-ink2 transition-colors hover:bg-fill aria-[current]:bg-fill2 aria-[current]:font-medium aria-[current]:text-ink max-md:h-11 max-md:px-4"
      >
        {text.modeNames[one]}
      </Link>
    ))}
  </nav>
)

/** The page's part of the top bar: model, glossary and history. */
function TranslateHeader({ model }: { model: ReactNode }) {
  const isSignedIn = useUser() !== null
  const [open, setOpen] = useState<'glossary' | 'history' | null>(null)
  const target = useTranslationSettings((settings) => settings.target)
  const hasText = useTextTranslation(({ source, result }) => source !== '' || result !== '')
  const close = () => setOpen(null)
  return (
    <>
      {model}
      {isSignedIn && (
        <div className="ml-auto flex shrink-0 items-center gap-1">
          {/* On a phone the field's own button does it. */}
          {hasText && (
            <Link
              href="/fanyi"
              onClick={(event) => {
                clearText()
                openOwnUrl(event, '/fanyi')
              }}
              aria-label={text.newText}
              data-tooltip={text.newText}
              className={`${buttonClass({ variant: 'ghost' })} size-9 px-0! max-md:hidden`}
            >
              <SquarePen size={18} aria-hidden />
            </Link>
          )}
          <HeaderActions
            actions={[
              { label: text.glossary, icon: BookA, onSelect: () => setOpen('glossary') },
              { label: text.history, icon: History, onSelect: () => setOpen('history') },
            ]}
          />
        </div>
      )}
      {/* Out of the top bar: a dialog is no part of the page's banner. */}
      {createPortal(
        <>
          {open === 'glossary' && (
            <GlossaryDialog initialTarget={resolveTarget(target, null)} onClose={close} />
          )}
          {open === 'history' && <HistoryDialog onClose={close} />}
        </>,
        document.body,
      )}
    </>
  )
}
