import { useLayoutEffect, useRef } from 'react'
import type { Command } from './shortcuts.ts'

/** The handlers of the page that is shown, by command. */
const handlers = new Map<Command, () => void>()

/** Runs a command; false when the page that is shown has no handler for it. */
export function runCommand(command: Command): boolean {
  const handler = handlers.get(command)
  handler?.()
  return handler !== undefined
}

export const canRunCommand = (command: Command): boolean => handlers.has(command)

/** Registers handlers of commands while the component is shown; null: not available now. */
export function useCommands(commands: Partial<Record<Command, (() => void) | null>>): void {
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  const names = (Object.keys(commands) as Command[]).filter((name) => commands[name]).join(' ')
  // Not after it was drawn: a key may be pressed as soon as the page shows what it is for.
  useLayoutEffect(() => {
    const registered = names.split(' ').filter(Boolean) as Command[]
    for (const name of registered) handlers.set(name, () => latest.current[name]?.())
    return () => {
      for (const name of registered) handlers.delete(name)
    }
  }, [names])
}
