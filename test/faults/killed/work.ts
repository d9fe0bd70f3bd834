/** With FAULTS_FULL, more and larger work is killed, and its silence is noticed in real time, as after a real crash. */
export const IS_FULL = Boolean(process.env.FAULTS_FULL)
export const KILLS = IS_FULL ? 40 : 2

/** Work that a process dies at. */
export type StartedWork = {
  /** Lets its platform answer whatever it is asked after the next start. */
  resume?: () => void
  /** Made after the next start: fails where something was lost, or done twice. */
  check: () => Promise<void>
}
