import { shortcutsText } from '../text/shortcuts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { KeySigns } from './KeySigns.tsx'
import { keysOf, type KeyedCommand, type Keys } from './shortcuts.ts'

type Row = { label: string; keys: Keys }

const rows = (...commands: KeyedCommand[]): Row[] =>
  commands.map((command) => ({ label: shortcutsText.commands[command], keys: keysOf[command] }))

const groups: { title: string; rows: Row[] }[] = [
  {
    title: shortcutsText.groups.everywhere,
    rows: rows('palette', 'newChat', 'previousSession', 'nextSession', 'sidebar', 'help'),
  },
  {
    title: shortcutsText.groups.chat,
    rows: [
      ...rows('focusComposer', 'stop', 'regenerate', 'copyAnswer', 'copyCode'),
      { label: shortcutsText.toEnd, keys: { key: 'End' } },
    ],
  },
  {
    title: shortcutsText.groups.writing,
    rows: [
      { label: shortcutsText.send, keys: { key: 'Enter' } },
      { label: shortcutsText.newLine, keys: { shift: true, key: 'Enter' } },
    ],
  },
]

/** Every shortcut, as this person's keyboard has it. */
export default function HelpSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={shortcutsText.help}
      description={shortcutsText.helpHint}
    >
      <div className="flex flex-col gap-5">
        {groups.map(({ title, rows: some }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1 text-xs text-ink3">{title}</h3>
            <dl>
              {some.map(({ label, keys }) => (
                <div
                  key={label}
                  className="flex min-h-9 items-center justify-between gap-3 border-b last:border-0"
                >
                  <dt className="min-w-0">{label}</dt>
                  <dd>
                    <KeySigns keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
