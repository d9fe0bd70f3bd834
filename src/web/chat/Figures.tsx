import { useRef, useState } from 'react'
import { fine, milliseconds, short } from '../models/figures.ts'
import { turnsText } from '../text/turns.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import type { Turn } from './turns.ts'

const RouteDetails = lazyPart(() => import('./RouteDetails.tsx'), { close: ({ onClose }) => onClose })

/** Which model and platform answered, how fast, and for how much; a click tells the whole story. */
export function Figures({ turn }: { turn: Turn }) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const { figures, chat_model } = turn
  if (!figures) return null
  const { platform, first_text_ms, input_tokens, output_tokens, amount } = figures
  const parts = [
    chat_model,
    platform,
    ...(first_text_ms === null ? [] : [turnsText.firstText(milliseconds(first_text_ms))]),
    turnsText.tokens(short(input_tokens), short(output_tokens)),
    turnsText.coins(fine(amount)),
  ]
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        data-tooltip={turnsText.figures}
        onClick={() => setOpen(true)}
        className="ml-1 rounded-lg px-1.5 py-1 text-left text-xs leading-4 text-ink3 tabular-nums transition-colors hover:bg-fill hover:text-ink2 max-md:min-h-11"
      >
        {parts.join(' · ')}
      </button>
      {open && <RouteDetails turn={turn} anchor={button} onClose={() => setOpen(false)} />}
    </>
  )
}
