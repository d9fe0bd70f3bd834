import { keptReasons, textProblems } from '#contract/translate/documents.ts'
import type {
  KeptPart,
  KeptReason,
  RebuiltDocument,
  Segment,
  TextProblem,
  TranslationMode,
} from '#contract/translate/documents.ts'
import type { Place } from '#contract/readings.ts'
import { AppError } from '#server/core/app-error.ts'
import { createBlock, toWords, translateBlock } from './blocks.ts'
import { applyEdits } from './edits.ts'
import type { Edit } from './edits.ts'
import { toPlaceholders } from './segment.ts'
import type { Block, BlockOptions, Node, Part, Range } from './blocks.ts'

type Target = { part: Part; block: Block }
/** A text, and every place where it stands: a text box stands twice in its file, a diagram too. */
export type Unit = {
  text: string
  place: Place
  targets: Target[]
  /** Other places with the same words, without tags, e.g. the name of a table's column in its header's cell. */
  copies?: (Range & { part: Part; write: (text: string) => string })[]
  /** Lists whose names must differ from each other, in any case, and be short: the columns of tables. */
  lists?: string[]
}

/** Most texts of a document that a person has translated in one go. */
const MAX_UNITS = 500_000
/** Most parts that a report names; further ones are only counted by reason, however many pictures a document has. */
const MAX_KEPT = 200

/** The texts of a document in order, and the parts that are not translated. */
export class Draft {
  readonly units: Unit[] = []
  private readonly keptParts = new Map<string, KeptPart>()

  /** Adds the text of these nodes; where a unit among `twins` has the same text, it gets another place. */
  add(
    part: Part,
    nodes: Node[],
    place: Place = {},
    options: BlockOptions & { twins?: Unit[] | undefined } = {},
  ): Unit | undefined {
    const { twins, ...blockOptions } = options
    const block = createBlock(nodes, blockOptions, part.syntax.isMessage)
    if (!block) return undefined
    const twin = twins?.findIndex((unit) => unit.text === block.text) ?? -1
    const [unit] = twin >= 0 ? (twins?.splice(twin, 1) ?? []) : []
    if (unit) {
      unit.targets.push({ part, block })
      return unit
    }
    if (this.units.length >= MAX_UNITS) throw new AppError('document_too_large')
    const added = { text: block.text, place, targets: [{ part, block }] }
    this.units.push(added)
    return added
  }

  /** Notes something that is not translated. */
  keep(reason: KeptReason, what: string, place?: Place, count = 1): void {
    const isFull = this.keptParts.size >= MAX_KEPT && !this.keptParts.has(`${reason} ${what}`)
    const key = isFull ? reason : `${reason} ${what}`
    const keptPart = this.keptParts.get(key)
    if (keptPart) keptPart.count += count
    else {
      const message = keptReasons[reason]
      this.keptParts.set(key, {
        what: isFull ? '' : what.slice(0, 200),
        reason,
        message,
        count,
        ...(place && !isFull ? { place } : {}),
      })
    }
  }

  get segments(): Segment[] {
    return this.units.map(({ text, place, targets }, index) => {
      const placeholders = targets[0] && toPlaceholders(targets[0].block.tags)
      return { n: index + 1, text, place, ...(placeholders ? { placeholders } : {}) }
    })
  }

  get kept(): KeptPart[] {
    return [...this.keptParts.values()]
  }

  /** Returns the source of each changed part with the translations in it, and the problems of single texts. */
  translate(
    translations: Map<number, string>,
    mode: TranslationMode,
  ): { changed: Map<Part, string>; problems: TextProblem[] } {
    const edits = new Map<Part, Edit[]>()
    const problems: TextProblem[] = []
    const nameProblems = this.findNameProblems(translations, mode)
    const listEdits = (part: Part): Edit[] => {
      const list = edits.get(part) ?? []
      edits.set(part, list)
      return list
    }
    for (const [index, unit] of this.units.entries()) {
      const { text, targets } = unit
      const n = index + 1
      const translation = translations.get(n)
      if (translation === undefined || !translation.trim() || translation === text) continue
      const nameProblem = nameProblems.get(unit)
      if (nameProblem) {
        problems.push({ n, what: nameProblem, message: textProblems[nameProblem] })
        continue
      }
      let problem: TextProblem['what'] | undefined
      for (const [at, { part, block }] of targets.entries()) {
        const what = translateBlock(part, block, translation, mode === 'bilingual', listEdits(part))
        if (at === 0) problem = what
      }
      if (problem) problems.push({ n, what: problem, message: textProblems[problem] })
      if (problem === 'placeholders') continue
      for (const { part, start, end, write } of unit.copies ?? [])
        listEdits(part).push({ start, end, parts: [write(getName(unit, translation, mode))] })
    }
    const changed = new Map(
      [...edits].flatMap(([part, list]) =>
        list.length ? [[part, applyEdits(part.source, list)] as const] : [],
      ),
    )
    return { changed, problems }
  }

  /** Finds names that would not differ, or would be too long: they stay as they are. */
  private findNameProblems(
    translations: Map<number, string>,
    mode: TranslationMode,
  ): Map<Unit, 'name_taken' | 'name_long'> {
    const unitsByKey = new Map<string, Unit>()
    const found = new Map<Unit, 'name_taken' | 'name_long'>()
    for (const [index, unit] of this.units.entries()) {
      const translation = translations.get(index + 1) ?? unit.text
      for (const list of unit.lists ?? []) {
        const name = getName(unit, translation, mode).trim()
        if (name.length > MAX_NAME_CHARS && translation !== unit.text) found.set(unit, 'name_long')
        const key = `${list} ${name.toLowerCase()}`
        const other = unitsByKey.get(key)
        if (other && other !== unit) found.set(other, 'name_taken').set(unit, 'name_taken')
        else unitsByKey.set(key, unit)
      }
    }
    return found
  }
}

/** Longest name of a column in Excel. */
const MAX_NAME_CHARS = 255

/** Returns the words that a text's place will have. */
function getName({ text, targets: [target] }: Unit, translation: string, mode: TranslationMode): string {
  if (!target) return translation
  const words = toWords(target.block, translation)
  const isBoth = mode === 'bilingual' && translation !== text
  return isBoth ? `${toWords(target.block, text)} / ${words.trim()}` : words
}

/**
 * The extracted texts of a document, and how it is written with other texts. The nodes of a text are its ranges in the source:
 *
 * ```ts
 * export function openNote(bytes: Buffer): Opened {
 *   const part: Part = { source: bytes.toString(), syntax: { write: (text) => text } }
 *   const draft = new Draft()
 *   draft.add(part, [{ kind: 'text', start: 0, end: part.source.length, text: part.source }], { line: 1 })
 *   return { format: 'note', draft, write: (changed) => Buffer.from(changed.get(part) ?? part.source) }
 * }
 * ```
 */
export type Opened = {
  format: string
  draft: Draft
  /** The result's name, where it is not the document's. */
  name?: string
} & (
  | {
      /** Returns the whole file with the changed parts in it. */
      write: (changed: Map<Part, string>) => Uint8Array
    }
  | {
      /** Makes another file, where the document itself cannot be changed; both modes take the translated parts. */
      publish: (changed: Map<Part, string>, mode: TranslationMode, name: string) => Promise<RebuiltDocument>
    }
)
