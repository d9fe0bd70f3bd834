import { formatField } from '../docx/fields.ts'
import type { Output } from '../reading/output.ts'
import type { TextMarks } from '../text/marked-text.ts'
import { PLAIN } from '../text/marked-text.ts'
import { Flow } from './flow.ts'
import { createFormField, formatFormField } from './form.ts'
import type { FormField } from './form.ts'
import { createMath, formatMathGroup } from './math.ts'
import type { MathGroup } from './math.ts'

type Field = { text?: string; form?: FormField }

/** A group of the file, with what it has from the groups around it. */
export type Group = TextMarks & {
  isDropped: boolean
  isDeleted: boolean
  isHidden: boolean
  font: number
  /** Characters that old programs read in the place of one of Unicode. */
  skip: number
  flow: Flow
  /** The field that the group is a part of. */
  field?: Field
  /** The name of the shape's property that is being read. */
  property?: { name: string }
  /** The equation that the group is a part of. */
  math?: MathGroup
  isDisplayed?: boolean
  /** The group defines a row of an inner table. */
  isInnerRow?: boolean
  /** The group has the same text twice, and the first is for old programs. */
  isDouble?: boolean
  end?: () => void
}

/** Groups that are no text of the document. */
export const DROPPED = new Set(
  'fonttbl colortbl stylesheet info objdata pict themedata colorschememapping datastore latentstyles listtable listoverridetable list listoverride listlevel lfolevel leveltext levelnumbers listname rsidtbl generator xmlnstbl mmathPr filetbl revtbl pgptbl bkmkstart bkmkend nonshppict nonesttables shprslt pn pnseclvl atnid atnref atntime atndate mmathPict falt panose xe tc tcn rxe ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn docvar background objclass objname'.split(
    ' ',
  ),
)
/** Groups that programs may leave out if they do not know them, and that have text. */
export const OPTIONAL =
  /^(shpinst|shptxt|do|dptxbxtext|annotation|atnauthor|ud|moMath|moMathPara|footnote|fldinst|shppict|formfield|ffl|nesttableprops|m[a-z]{1,10})$/i
/** Texts of a shape that are properties of it: words drawn as a picture, and the description of a picture. */
const SHAPE_TEXTS = /^(gtextUNICODE|wzDescription)$/

/** Texts that stand beside the document's own. */
export type Surroundings = { headers: string[]; footers: string[]; notes: string[] }

/** Returns what begins with groups by their first control words. */
export function createDestinations(
  groups: Group[],
  { headers, footers, notes }: Surroundings,
  output: Output,
): Map<string, () => void> {
  let author = ''
  const group = (): Group => groups.at(-1)!
  /** Begins a text of its own, which ends with its group. */
  const branch = (end: (flow: Flow, outer: Flow) => void): void => {
    const outer = group().flow
    const flow = new Flow()
    Object.assign(group(), PLAIN, { flow, end: () => end(flow, outer) })
  }
  const header = (): void => branch((flow) => headers.push(flow.takeLine()))
  const footer = (): void => branch((flow) => footers.push(flow.takeLine()))
  const box = (): void =>
    branch((flow, outer) => {
      flow.end()
      outer.aside.push(...flow.blocks)
    })
  const listText = (): void => branch((flow, outer) => outer.setMarker(flow.takeLine().trim()))
  const endInstruction = (flow: Flow, outer: Flow, field: Field | undefined): void => {
    const text = field?.form ? formatFormField(field.form) : formatField(flow.takeLine())
    if (text === undefined) return
    if (field) field.text = text
    outer.addMarkdown(text)
  }
  return new Map(
    Object.entries({
      header,
      headerl: header,
      headerr: header,
      headerf: header,
      footer,
      footerl: footer,
      footerr: footer,
      footerf: footer,
      footnote: () =>
        branch((flow, outer) => {
          const text = flow.takeLine()
          if (!text) return
          outer.add(`[^${notes.length + 1}]`)
          notes.push(`[^${notes.length + 1}]: ${text}`)
        }),
      annotation: () =>
        branch((flow, outer) => {
          const text = flow.takeLine()
          if (text) outer.aside.push({ text: `> 批注${author ? `（${author}）` : ''}：${text}` })
        }),
      atnauthor: () =>
        branch((flow) => {
          author = flow.takeLine()
        }),
      shptxt: box,
      dptxbxtext: box,
      sp: () => {
        group().property = { name: '' }
      },
      sn: () => {
        const { property } = group()
        branch((flow) => {
          if (property) property.name = flow.takeLine()
        })
      },
      sv: () => {
        const { property } = group()
        branch((flow, outer) => {
          const text = flow.takeLine()
          if (text && SHAPE_TEXTS.test(property?.name ?? '')) outer.aside.push({ text })
        })
      },
      object: () => output.skip('unsupported', '嵌入的对象'),
      listtext: listText,
      pntext: listText,
      field: () => {
        group().field = {}
      },
      fldinst: () => {
        const { field } = group()
        branch((flow, outer) => endInstruction(flow, outer, field))
      },
      fldrslt: () => {
        if (group().field?.text !== undefined) group().isDropped = true
      },
      formfield: () => {
        const { field } = group()
        if (field) field.form = createFormField()
      },
      ffl: () => {
        const { field } = group()
        branch((flow) => field?.form?.choices.push(flow.takeLine()))
      },
      moMathPara: () => {
        group().isDisplayed = true
      },
      moMath: () => {
        const { flow, isDisplayed = false } = group()
        const math = createMath()
        group().math = math
        group().end = () => {
          const text = formatMathGroup(math)
          if (text) flow.addMarkdown(isDisplayed ? `$$${text}$$` : ` $${text}$ `)
        }
      },
      nesttableprops: () => {
        group().isInnerRow = true
      },
      upr: () => {
        group().isDouble = true
      },
      ud: () => {
        group().isDropped = groups.at(-3)?.isDropped ?? false
      },
    }),
  )
}
