import { clsx } from 'clsx'
import { SlidersHorizontal } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { statisticsText as text } from '#web/text/credit/statistics.ts'
import { Button } from '#web/ui/Button.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { useFilterChoices } from './queries.ts'
import { FIRST_DAY, isFiltered, noFilter, toQuery, type TransactionFilter } from './transactionFilter.ts'

type Props = {
  filter: TransactionFilter
  onChange: (changes: Partial<TransactionFilter>) => void
  /** Shown beside the filters. */
  children: ReactNode
}

/** Shows the filters of the list, each of which may be unset; on phones a button opens them. */
export function TransactionFilters({ filter, onChange, children }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const { models, keys } = useFilterChoices()
  const active = Object.keys(toQuery(filter)).length
  const renderSelect = <N extends 'timeRange' | 'action' | 'channel' | 'source' | 'model' | 'keyId'>(
    name: N,
    label: string,
    options: readonly (readonly [value: string, label: string])[],
  ) => {
    const value = filter[name]
    // A value that only the address names: a removed model or a deleted key.
    const isUnknown = value !== '' && !options.some(([option]) => option === value)
    return (
      <Select
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange({ [name]: target.value })}
        className={clsx('min-w-0 md:max-w-44', value === 'days' && 'max-md:col-span-2')}
      >
        <option value="">{text.every(label)}</option>
        {isUnknown && <option value={value}>{name === 'keyId' ? text.unknownKey : value}</option>}
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </Select>
    )
  }
  return (
    <search className="flex flex-wrap items-center gap-2">
      <Button
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="font-normal! md:hidden"
      >
        <SlidersHorizontal size={16} aria-hidden />
        {text.filters}
        {active > 0 && <span className="tabular-nums">{active}</span>}
      </Button>
      <div
        id={id}
        className={clsx(
          'grid grid-cols-2 gap-2 max-md:order-last max-md:w-full md:contents',
          !open && 'max-md:hidden',
        )}
      >
        {renderSelect('timeRange', text.range, Object.entries(text.ranges))}
        {filter.timeRange === 'days' && <Days filter={filter} onChange={onChange} />}
        {renderSelect('action', text.action, Object.entries(text.actions))}
        {renderSelect('source', text.what, Object.entries(text.kinds))}
        {renderSelect('model', text.model, models)}
        {renderSelect('keyId', text.key, keys)}
        {renderSelect('channel', text.channel, Object.entries(text.channels))}
        {isFiltered(filter) && (
          <Button variant="ghost" onClick={() => onChange(noFilter)} className="justify-self-start">
            {text.clear}
          </Button>
        )}
      </div>
      <div className="ml-auto">{children}</div>
    </search>
  )
}

/** A range of days, both ends included. */
function Days({ filter: { from, to }, onChange }: Omit<Props, 'children'>) {
  const renderDay = (name: 'from' | 'to', label: string, value: string) => (
    <Input
      type="date"
      aria-label={label}
      min={FIRST_DAY}
      value={value}
      onChange={({ target }) => onChange({ [name]: target.value })}
      className="min-w-0 flex-1 md:w-38"
    />
  )
  return (
    <div role="group" aria-label={text.ranges.days} className="flex items-center gap-2 max-md:col-span-2">
      {renderDay('from', text.from, from)}
      <span aria-hidden className="text-ink3">
        –
      </span>
      {renderDay('to', text.to, to)}
    </div>
  )
}
