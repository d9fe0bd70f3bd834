import type { ModelCard } from '#contract/models.ts'
import { calculatorText } from '../../text/models.ts'
import { CountField } from './CountField.tsx'
import { FromText } from './FromText.tsx'
import { ModelChoice } from './ModelChoice.tsx'
import type { Usage } from './usage.ts'

type Props = {
  cards: ModelCard[]
  chosen: ModelCard[]
  usage: Usage
  onChange: (change: Partial<Usage>) => void
}

export function CalculatorForm({ cards, chosen, usage, onChange }: Props) {
  return (
    <div className="flex flex-col gap-5">
      <ModelChoice cards={cards} chosen={chosen} onChange={(models) => onChange({ models })} />
      <CountField
        label={calculatorText.input}
        hint={calculatorText.tokensHint}
        wrong={calculatorText.tokensWrong}
        value={usage.input}
        onChange={(input) => onChange({ input })}
        presets={['1k', '10k', '100k', '1M']}
        presetsLabel={calculatorText.inputPresets}
      />
      <CountField
        label={calculatorText.output}
        wrong={calculatorText.tokensWrong}
        value={usage.output}
        onChange={(output) => onChange({ output })}
        presets={['500', '1k', '10k', '1M']}
        presetsLabel={calculatorText.outputPresets}
      />
      <FromText onInput={(input) => onChange({ input })} onOutput={(output) => onChange({ output })} />
      <CountField
        label={calculatorText.calls}
        hint={calculatorText.callsHint}
        wrong={calculatorText.callsWrong}
        value={usage.calls}
        onChange={(calls) => onChange({ calls })}
      />
    </div>
  )
}
