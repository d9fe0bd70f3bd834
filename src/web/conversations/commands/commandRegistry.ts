import { useLayoutEffect, useRef } from 'react'
import type { Command } from './shortcuts.ts'

/** The handlers of the shown page, by command. */
const handlers = new Map<Command, () => void>()

/** Runs a command; false when the shown page has no handler for it. */
export function runCommand(command: Command): boolean {
  const handler = handlers.get(command)
  handler?.()
  return handler !== undefined
}

export const canRunCommand = (command: Command): boolean => handlers.has(command)

/** Registers handlers of commands while the component is mounted; null makes a command unavailable. */
export function useCommands(commands: Partial<Record<Command, (() => void) | null>>): void {
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  const names = (Object.keys(commands) as Command[]).filter((name) => commands[name]).join(' ')
  // A layout effect, because a key may be pressed as soon as the page shows its hint.
  useLayoutEffect(() => {
    const registered = names.split(' ').filter(Boolean) as Command[]
    for (const name of registered) handlers.set(name, () => latest.current[name]?.())
    return () => {
      for (const name of registered) handlers.delete(name)
    }
  }, [names])
}
