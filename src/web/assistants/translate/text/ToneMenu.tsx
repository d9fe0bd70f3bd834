import { ChevronDown } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { translateText as text } from '#web/text/translate/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { uiText } from '#web/text/ui.ts'
import { MAX_TONE_CHARS } from '../limits.ts'
import { updateSettings, useTranslationSettings } from '../settings.ts'

const tones = Object.values(text.tones)

/** Chooses the tone of a translation: a preset or the person's own words. */
export function ToneMenu() {
  const tone = useTranslationSettings((settings) => settings.tone)
  const [isCustomOpen, setIsCustomOpen] = useState(false)
  const chosenTone = tones.find(({ value }) => value === tone)
  return (
    <>
      <Menu
        placement="bottom-end"
        items={[
          ...tones.map(({ label, value }) => ({
            label,
            checked: value === tone,
            onSelect: () => updateSettings({ tone: value }),
          })),
          'separator',
          {
            label: text.toneCustom,
            ...(chosenTone ? {} : { description: tone }),
            checked: !chosenTone,
            onSelect: () => setIsCustomOpen(true),
          },
        ]}
        trigger={(props) => (
          <Button {...props} variant="ghost" size="sm" className="min-w-0 shrink! px-2.5!">
            <span className="text-ink3 max-sm:sr-only">{text.tone}</span>
            <span className="truncate font-normal text-ink">{chosenTone?.label ?? tone}</span>
            <ChevronDown size={15} aria-hidden className="shrink-0 text-ink3" />
          </Button>
        )}
      />
      <CustomToneDialog
        open={isCustomOpen}
        initial={chosenTone ? '' : tone}
        onClose={() => setIsCustomOpen(false)}
      />
    </>
  )
}

type DialogProps = { open: boolean; initial: string; onClose: () => void }

const CustomToneDialog = ({ open, initial, onClose }: DialogProps) => (
  <Dialog open={open} onOpenChange={onClose} title={text.toneCustomTitle} description={text.toneCustomHint}>
    <CustomToneForm initial={initial} onClose={onClose} />
  </Dialog>
)

function CustomToneForm({ initial, onClose }: Omit<DialogProps, 'open'>) {
  const [tone, setTone] = useState(initial)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    updateSettings({ tone: tone.trim() })
    onClose()
  }
  return (
    <form onSubmit={submit} className="flex gap-2">
      <Input
        aria-label={text.tone}
        value={tone}
        maxLength={MAX_TONE_CHARS}
        autoComplete="off"
        onChange={({ target }) => setTone(target.value)}
        className="min-w-0 flex-1"
      />
      <Button type="submit" variant="primary" className="h-10!">
        {uiText.save}
      </Button>
    </form>
  )
}
