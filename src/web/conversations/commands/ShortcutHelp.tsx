import { commandsText } from '#web/text/commands.ts'
import { isTouchKeyboard } from '#web/ui/form/enterKey.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { KeyCaps } from './KeyCaps.tsx'
import { keyBindings, type KeyedCommand, type KeyBinding } from './shortcuts.ts'

type ShortcutRow = { label: string; keys: KeyBinding }

const toRows = (...commands: KeyedCommand[]): ShortcutRow[] =>
  commands.map((command) => ({ label: commandsText.commands[command], keys: keyBindings[command] }))

const groups: { title: string; rows: ShortcutRow[] }[] = [
  {
    title: commandsText.groups.everywhere,
    rows: toRows('palette', 'newChat', 'previousSession', 'nextSession', 'sidebar', 'help'),
  },
  {
    title: commandsText.groups.chat,
    rows: [
      ...toRows('focusComposer', 'stop', 'regenerate', 'copyAnswer', 'copyCode'),
      { label: commandsText.toEnd, keys: { key: 'End' } },
    ],
  },
  {
    title: commandsText.groups.writing,
    rows: isTouchKeyboard()
      ? [
          { label: commandsText.send, keys: { mod: true, key: 'Enter' } },
          { label: commandsText.newLine, keys: { key: 'Enter' } },
        ]
      : [
          { label: commandsText.send, keys: { key: 'Enter' } },
          { label: commandsText.newLine, keys: { shift: true, key: 'Enter' } },
        ],
  },
]

/** The list of all shortcuts, with the labels of the person's keyboard. */
export default function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={onClose} title={commandsText.help} description={commandsText.helpHint}>
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
                    <KeyCaps keys={keys} />
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
