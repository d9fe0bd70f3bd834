import { ChevronDown, Ellipsis, MessageSquare, SlidersHorizontal, Square, Trash2, Trophy } from 'lucide-react'
import { use } from 'react'
import type { Message } from '#web/conversations/conversations.ts'
import { compareText } from '#web/text/compare/compare.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, type MenuItem } from '#web/ui/Menu.tsx'
import { ColumnActionsContext } from './columnActions.ts'
import { findAnswer, type Column } from '../state/comparison.ts'
import { ModelSelect } from './ModelSelect.tsx'
import { ChosenModels } from './chosenModels.ts'

type Props = {
  column: Column
  name: string
  newest: Message | undefined
  isTyping: boolean
  isHidden: boolean
  isWinner: boolean
}

/** Name, state and actions of a column. While names are hidden, everything that could reveal one is left out. */
export function ColumnHeader({ column, name, newest, isTyping, isHidden, isWinner }: Props) {
  const actions = use(ColumnActionsContext)
  const chosenModels = use(ChosenModels)
  const { model, settings } = column
  const answer = newest && findAnswer(column, newest)
  const icon = { size: 16 }
  const items: MenuItem[] = [
    { label: compareText.askThis, icon: <MessageSquare {...icon} />, onSelect: () => actions.askThis(model) },
    {
      label: compareText.settings,
      ...(settings ? { description: compareText.hasSettings } : {}),
      icon: <SlidersHorizontal {...icon} />,
      onSelect: () => actions.openSettings(model),
    },
    {
      label: compareText.remove,
      description: compareText.removeHint,
      icon: <Trash2 {...icon} />,
      danger: true,
      onSelect: () => actions.remove(model),
    },
  ]
  return (
    <div className="flex h-11 shrink-0 items-center gap-1 border-b pr-1.5 pl-4 max-md:h-12">
      {isHidden ? (
        <h2 className="min-w-0 truncate font-medium">{name}</h2>
      ) : (
        <ModelSelect
          chosen={chosenModels}
          onChoose={(other) => actions.swap(model, other)}
          trigger={(trigger) => (
            <h2 className="-ml-3 flex min-w-0">
              <Button
                {...trigger}
                variant="ghost"
                size="sm"
                aria-label={compareText.swapModel(name)}
                className="min-w-0 shrink! gap-1! text-sm! text-ink!"
              >
                <span className="truncate">{name}</span>
                <ChevronDown size={14} aria-hidden className="shrink-0 text-ink3" />
              </Button>
            </h2>
          )}
        />
      )}
      {isWinner && (
        <span data-tooltip={compareText.winner} className="shrink-0 text-accent">
          <Trophy size={15} aria-hidden />
          <span className="sr-only">{compareText.winner}</span>
        </span>
      )}
      {settings && !isHidden && (
        <span data-tooltip={compareText.hasSettings} className="shrink-0 text-ink3">
          <SlidersHorizontal size={13} aria-hidden />
          <span className="sr-only">{compareText.hasSettings}</span>
        </span>
      )}
      <div className="ml-auto flex shrink-0 items-center">
        {isTyping && (
          <>
            <span aria-hidden className="mr-1 size-2 animate-shimmer rounded-full bg-accent" />
            <IconButton
              size="sm"
              label={compareText.stopOf(name)}
              onClick={() => actions.stop(model)}
              disabled={answer?.local}
            >
              <Square size={12} fill="currentColor" aria-hidden />
            </IconButton>
          </>
        )}
        {!isHidden && (
          <Menu
            placement="bottom-end"
            className="w-60"
            items={items}
            trigger={(trigger) => (
              <IconButton {...trigger} size="sm" label={compareText.actions(name)}>
                <Ellipsis size={16} aria-hidden />
              </IconButton>
            )}
          />
        )}
      </div>
    </div>
  )
}
