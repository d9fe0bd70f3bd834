import { useState } from 'react'
import { calculatorText } from '#web/text/models.ts'
import { Button } from '#web/ui/Button.tsx'
import { FormField } from '#web/ui/form/FormField.tsx'
import { Textarea } from '#web/ui/form/Textarea.tsx'
import { estimateTokens } from './amounts.ts'

type Props = { onInput: (tokens: string) => void; onOutput: (tokens: string) => void }

/** Estimates the number of tokens in a text. */
export function TokenEstimator({ onInput, onOutput }: Props) {
  const [text, setText] = useState('')
  const tokens = estimateTokens(text)
  return (
    <details className="rounded-[10px] border">
      <summary className="rounded-[10px] px-3 py-2 text-note text-ink2 hover:text-ink max-md:py-3">
        {calculatorText.fromText}
      </summary>
      <div className="flex flex-col gap-3 border-t p-3">
        <FormField label={calculatorText.text} hint={calculatorText.textHint}>
          {(field) => (
            <Textarea
              {...field}
              rows={4}
              value={text}
              onChange={(event) => setText(event.target.value)}
              className="max-h-60!"
            />
          )}
        </FormField>
        <p role="status" className="text-note text-ink2 tabular-nums">
          {calculatorText.about(tokens.toLocaleString('zh-CN'))}
          <span className="block text-ink3">{calculatorText.aboutHint}</span>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" disabled={!tokens} onClick={() => onInput(String(tokens))}>
            {calculatorText.asInput}
          </Button>
          <Button size="sm" disabled={!tokens} onClick={() => onOutput(String(tokens))}>
            {calculatorText.asOutput}
          </Button>
        </div>
      </div>
    </details>
  )
}
