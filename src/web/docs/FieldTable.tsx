import { docsText } from '#web/text/docs/reference.ts'
import { Table, type Column } from '#web/ui/Table.tsx'
import type { Field } from './jsonSchema.ts'

const columns: Column<Field>[] = [
  {
    key: 'name',
    title: docsText.field,
    className: 'whitespace-nowrap',
    cell: (field) => (
      <>
        <code className="font-mono text-ink">{field.name}</code>
        {field.required && <span className="ml-2 text-xs text-ink3">{docsText.required}</span>}
      </>
    ),
  },
  {
    key: 'type',
    title: docsText.type,
    className: 'min-w-40',
    cell: (field) => <code className="font-mono text-xs text-ink2">{field.type}</code>,
  },
  {
    key: 'note',
    title: docsText.note,
    className: 'text-ink2',
    cell: (field) => (
      <>
        {field.note}
        {field.defaultValue !== undefined && (
          <span className="block whitespace-nowrap">
            {docsText.fallback}{' '}
            <code className="font-mono text-xs">{JSON.stringify(field.defaultValue)}</code>
          </span>
        )}
      </>
    ),
  },
]

/** The fields of parameters, a body or a response. Without any note or default the last column is left out. */
export function FieldTable({ label, fields }: { label: string; fields: Field[] }) {
  if (!fields.length) return null
  const noted = fields.some((field) => field.note || field.defaultValue !== undefined)
  return (
    <Table
      label={label}
      columns={noted ? columns : columns.slice(0, 2)}
      rows={fields}
      rowKey={(field) => field.name}
    />
  )
}
