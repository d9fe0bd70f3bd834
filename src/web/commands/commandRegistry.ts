import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Command } from './shortcuts.ts'

/** What commands do on the page that is shown. */
const handlers = new Map<Command, () => void>()

/** Carries out a command; false when the page that is shown has none of this name. */
export function runCommand(command: Command): boolean {
  const handler = handlers.get(command)
  handler?.()
  return handler !== undefined
}

export const canRunCommand = (command: Command): boolean => handlers.has(command)

/** Says what commands do while the component is shown; null: not now. */
export function useCommands(commands: Partial<Record<Command, (() => void) | null>>): void {
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  const names = (Object.keys(commands) as Command[]).filter((name) => commands[name]).join(' ')
  useEffect(() => {
    const registered = names.split(' ').filter(Boolean) as Command[]
    for (const name of registered) handlers.set(name, () => latest.current[name]?.())
    return () => {
      for (const name of registered) handlers.delete(name)
    }
  }, [names])
}
