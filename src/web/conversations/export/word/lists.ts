import { AlignmentType, LevelFormat } from 'docx'

type Numbering = { reference: string; level: number; instance?: number }
const BULLETS = ['•', '◦', '▪']
const LEVELS = Array.from({ length: 9 }, (_, level) => level)
const STEP = 480

const style = (level: number) => ({
  paragraph: { indent: { left: STEP * (level + 1), hanging: 360 } },
})

/** The lists of one document; each ordered list begins at its own number. */
export function createLists() {
  const starts = new Map<string, { start: number; level: number }>()
  let instance = 0
  const depth = (level: number) => Math.min(level, LEVELS.length - 1)
  return {
    bullets: (level: number): Numbering => ({ reference: 'bullets', level: depth(level) }),
    ordered(start: number, level: number): Numbering {
      const reference = `ordered-${start}-${depth(level)}`
      starts.set(reference, { start, level: depth(level) })
      return { reference, level: depth(level), instance: ++instance }
    },
    /** Must be called after everything was converted. */
    config: () => [
      {
        reference: 'bullets',
        levels: LEVELS.map((level) => ({
          level,
          format: LevelFormat.BULLET,
          text: BULLETS[level % BULLETS.length] ?? '•',
          alignment: AlignmentType.LEFT,
          style: style(level),
        })),
      },
      ...[...starts].map(([reference, listStart]) => ({
        reference,
        levels: LEVELS.map((level) => ({
          level,
          format: LevelFormat.DECIMAL,
          text: `%${level + 1}.`,
          start: level === listStart.level ? listStart.start : 1,
          alignment: AlignmentType.LEFT,
          style: style(level),
        })),
      })),
    ],
  }
}
export type Lists = ReturnType<typeof createLists>
