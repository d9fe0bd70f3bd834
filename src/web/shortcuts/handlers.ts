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

export const canRun = (command: Command): boolean => handlers.has(command)

/** Says what commands do while the component is shown; null: not now. */
export function useCommands(now: Partial<Record<Command, (() => void) | null>>): void {
  const latest = useRef(now)
  useLayoutEffect(() => {
    latest.current = now
  })
  const names = (Object.keys(now) as Command[]).filter((name) => now[name]).join(' ')
  useEffect(() => {
    const mine = names.split(' ').filter(Boolean) as Command[]
    for (const name of mine) handlers.set(name, () => latest.current[name]?.())
    return () => {
      for (const name of mine) handlers.delete(name)
    }
  }, [names])
}
