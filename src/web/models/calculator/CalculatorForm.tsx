import type { ModelCard } from '#contract/models.ts'
import { calculatorText } from '#web/text/models.ts'
import { unitInputs } from './unitInputs.ts'
import type { PriceUnit } from '#contract/price-units.ts'
import { CountField } from './CountField.tsx'
import { TokenEstimator } from './TokenEstimator.tsx'
import { ModelChoice } from './ModelChoice.tsx'
import type { Usage } from './usage.ts'

type Props = {
  cards: ModelCard[]
  chosen: ModelCard[]
  /** The unit by which the chosen models are priced. */
  unit: PriceUnit
  usage: Usage
  onChange: (change: Partial<Usage>) => void
}

export function CalculatorForm({ cards, chosen, unit, usage, onChange }: Props) {
  const { label, hint, wrong } = calculatorText.inputs[unit]
  const { initial, presets, max } = unitInputs[unit]
  return (
    <div className="flex flex-col gap-5">
      <ModelChoice cards={cards} chosen={chosen} onChange={onChange} />
      <CountField
        label={label}
        hint={hint}
        errorText={wrong}
        max={max}
        value={usage.input ?? initial}
        onChange={(input) => onChange({ input })}
        presets={presets}
        presetsLabel={calculatorText.presets(label)}
      />
      {unit === 'token' && (
        <>
          <CountField
            label={calculatorText.output}
            errorText={calculatorText.tokensWrong}
            value={usage.output}
            onChange={(output) => onChange({ output })}
            presets={['500', '1k', '10k', '1M']}
            presetsLabel={calculatorText.outputPresets}
          />
          <TokenEstimator
            onInput={(input) => onChange({ input })}
            onOutput={(output) => onChange({ output })}
          />
        </>
      )}
      <CountField
        label={calculatorText.calls}
        hint={calculatorText.callsHint}
        errorText={calculatorText.callsWrong}
        value={usage.calls}
        onChange={(calls) => onChange({ calls })}
      />
    </div>
  )
}
