import { gatewayText } from '#web/text/docs/gateway.ts'
import { Table, type Column } from '#web/ui/Table.tsx'
import { gatewayErrors, type GatewayErrorGroup } from './gatewayErrors.ts'

const errorColumns: Column<GatewayErrorGroup>[] = [
  {
    key: 'status',
    title: gatewayText.statusColumn,
    cell: ({ status }) => <code className="font-mono">{status}</code>,
  },
  {
    key: 'codes',
    title: gatewayText.codeColumn,
    className: 'min-w-64',
    cell: ({ codes }) => (
      <ul className="flex flex-col gap-1.5">
        {codes.map(({ code, message }) => (
          <li key={code}>
            <code className="block font-mono text-xs">{code}</code>
            <span className="text-ink2">{message}</span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    key: 'advice',
    title: gatewayText.adviceColumn,
    className: 'min-w-48 text-ink2',
    cell: ({ advice }) => advice,
  },
]

export function ErrorTable() {
  return (
    <Table
      label={gatewayText.errorsTitle}
      columns={errorColumns}
      rows={gatewayErrors}
      rowKey={({ status }) => String(status)}
    />
  )
}

type Unit = (typeof gatewayText.units)[number]

const unitColumns: Column<Unit>[] = [
  { key: 'type', title: gatewayText.unitsTypeColumn, className: 'min-w-40', cell: ({ type }) => type },
  {
    key: 'unit',
    title: gatewayText.unitsColumn,
    className: 'min-w-44 text-ink2',
    cell: ({ unit }) => unit,
  },
]

export function UnitTable() {
  return (
    <Table
      label={gatewayText.unitsTitle}
      columns={unitColumns}
      rows={gatewayText.units}
      rowKey={({ type }) => type}
    />
  )
}
