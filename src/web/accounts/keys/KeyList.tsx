import { Copy, KeyRound, MoreHorizontal, Pencil, Plus, Power, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { MAX_KEYS_PER_USER } from '#contract/key-groups.ts'
import { formatDateTime } from '#web/core/format.ts'
import { keysText } from '#web/text/keys.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { copyText } from '#web/ui/clipboard.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, type MenuItem } from '#web/ui/Menu.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { useIsWideScreen } from '#web/ui/useIsWideScreen.ts'
import type { AnyKey } from './keyCalls.ts'

type Props<K> = {
  text: { title: string; intro: string; create: string; empty: string; emptyHint: string }
  query: { data: { items: K[] } | undefined; error: Error | null; refetch: () => unknown }
  /** The columns; the first one names the key. */
  columns: Column<K>[]
  onCreate: () => void
  onEdit: (key: K) => void
  onToggle: (key: K) => void
  onRemove: (key: K) => void
  /** Further menu items of a key. */
  extraItems?: (key: K) => MenuItem[]
}

/** Keys of one kind, each with a menu of actions. */
export function KeyList<K extends AnyKey>(props: Props<K>) {
  const { text, query, columns, onCreate, onEdit, onToggle, onRemove, extraItems } = props
  const renderMenu = (key: K) => (
    <Menu
      placement="bottom-end"
      items={[
        { label: keysText.edit, icon: <Pencil size={16} />, onSelect: () => onEdit(key) },
        {
          label: key.status ? keysText.disable : keysText.enable,
          icon: <Power size={16} />,
          onSelect: () => onToggle(key),
        },
        ...(extraItems?.(key) ?? []),
        'separator',
        {
          label: keysText.remove,
          icon: <Trash2 size={16} />,
          danger: true,
          onSelect: () => onRemove(key),
        },
      ]}
      trigger={(trigger) => (
        <IconButton {...trigger} size="sm" label={keysText.menu(key.name)}>
          <MoreHorizontal size={17} aria-hidden />
        </IconButton>
      )}
    />
  )
  const renderSection = (content: ReactNode, action?: ReactNode) => (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-ink2">{text.intro}</p>
        {action}
      </div>
      {content}
    </div>
  )
  const renderCreate = (count: number) => (
    <Button variant="primary" onClick={onCreate} disabled={count >= MAX_KEYS_PER_USER}>
      <Plus size={16} aria-hidden />
      {text.create}
    </Button>
  )
  return (
    <QueryView
      query={query}
      failed={keysText.failed}
      skeleton={renderSection(<KeysSkeleton />)}
      isEmpty={({ items }) => !items.length}
      empty={renderSection(
        <EmptyState
          icon={<KeyRound size={28} />}
          title={text.empty}
          description={text.emptyHint}
          action={renderCreate(0)}
        />,
      )}
    >
      {({ items }) =>
        renderSection(
          <>
            <KeyTable label={text.title} columns={columns} rows={items} actions={renderMenu} />
            <p className="text-note text-ink3 tabular-nums">
              {keysText.count(items.length, MAX_KEYS_PER_USER)}
            </p>
          </>,
          renderCreate(items.length),
        )
      }
    </QueryView>
  )
}

type TableProps<K> = { label: string; columns: Column<K>[]; rows: K[]; actions: (key: K) => ReactNode }

/** Keys as a table; on phones, where a table would have to scroll sideways, as a list with the same cells. */
function KeyTable<K extends AnyKey>({ label, columns, rows, actions }: TableProps<K>) {
  const isWide = useIsWideScreen()
  if (isWide) {
    const last = { key: 'actions', title: keysText.actions, cell: actions, align: 'right' as const }
    return <Table label={label} columns={[...columns, last]} rows={rows} rowKey={({ uuid }) => uuid} />
  }
  const [first, ...rest] = columns
  return (
    <ul aria-label={label} className="divide-y rounded-xl border">
      {rows.map((row) => (
        <li key={row.uuid} className="px-3.5 py-3">
          <div className="flex items-start justify-between gap-2">
            {first?.cell(row)}
            {actions(row)}
          </div>
          <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-note tabular-nums">
            {rest.map(({ key, title, cell }) => (
              <div key={key} className="contents">
                <dt className="text-ink3">{title}</dt>
                <dd className="text-right">{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

const KeysSkeleton = () => (
  <div className="flex flex-col gap-3 rounded-xl border p-3.5">
    <Skeleton className="h-5 w-2/3" />
    <Skeleton className="h-5 w-1/2" />
    <Skeleton className="h-5 w-3/5" />
  </div>
)

/** Name and masked value of a key. */
export function KeyName({ name, value }: AnyKey) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="text-sm font-medium break-words">{name}</span>
      <code className="font-mono text-xs text-ink3 whitespace-nowrap">{value}</code>
    </span>
  )
}

/** Shows whether a key works, or why not. */
export function KeyStatus({ state }: { state: keyof typeof keysText.statuses }) {
  return <Badge tone={state === 'enabled' ? 'accent' : 'neutral'}>{keysText.statuses[state]}</Badge>
}

/** Formats a time to the minute, in the reader's time zone. */
export const formatLastUsed = (at: string | null): string =>
  at ? formatDateTime(at).slice(0, 16) : keysText.unused

/** Shows the whole value of the newest key until the person confirms it, with advice on storing it. */
export function NewKeyDialog({ newest }: { newest: AnyKey | null }) {
  const [confirmed, setConfirmed] = useState<string | null>(null)
  const rawValue = newest?.raw_value ?? null
  const value = rawValue === confirmed ? null : rawValue
  const close = () => setConfirmed(rawValue)
  return (
    <Dialog
      open={value !== null}
      onOpenChange={close}
      title={keysText.valueTitle}
      description={keysText.valueWarning}
      footer={
        <>
          <Button onClick={close}>{keysText.saveDone}</Button>
          <Button variant="primary" onClick={() => void copyText(value ?? '')}>
            <Copy size={15} aria-hidden />
            {keysText.copy}
          </Button>
        </>
      }
    >
      <output
        aria-label={keysText.value}
        className="block rounded-xl border bg-fill p-3.5 font-mono text-note break-all select-all"
      >
        {value}
      </output>
    </Dialog>
  )
}

/** The whole value of the newest key while that key exists; null otherwise. */
export function getUsableKeyValue(newest: AnyKey | null, keys: AnyKey[] = []): string | null {
  const current = keys.find(({ uuid }) => uuid === newest?.uuid)
  // A value that another tab has replaced meanwhile would not work.
  return current && current.value === newest?.value ? newest.raw_value : null
}
