import { AppError } from '#server/core/app-error.ts'
import { openPackage } from '../office/package.ts'
import type { OfficePackage } from '../office/package.ts'
import type { ZipEntry } from '../containers/zip.ts'
import type { Part, Syntax } from './blocks.ts'
import { Draft } from './draft.ts'
import type { Opened } from './draft.ts'
import { declaredEncoding, openMarkup, parseElements } from './xml.ts'
import type { XmlElement } from './xml.ts'
import { openArchive, replaceEntries } from './zip.ts'

type OpenPart = { part: Part; root: XmlElement }

/** An archive of XML parts that is opened part by part. */
export type Archive = {
  draft: Draft
  paths: string[]
  read: (path: string) => Buffer | undefined
  /** Opens a part to be translated; nothing where there is none, it was opened before, or it could not be written again. */
  open: (path: string | undefined, syntax: Syntax) => Part | undefined
  write: (changed: Map<Part, string>) => Uint8Array
}

export function openParts(bytes: Buffer): Archive {
  const zip = openArchive(bytes)
  const draft = new Draft()
  const openEntries = new Map<Part, { entry: ZipEntry; encode: (source: string) => Buffer }>()
  const openedPaths = new Set<string>()
  const read = (path: string): Buffer | undefined => {
    const entry = zip.find(path)
    return entry && zip.read(entry)
  }
  return {
    draft,
    read,
    paths: zip.entries.map(({ name }) => name),
    open(path, syntax) {
      const entry = path === undefined || openedPaths.has(path) ? undefined : zip.find(path)
      if (!entry || path === undefined) return undefined
      openedPaths.add(path)
      const content = zip.read(entry)
      const text = openMarkup(content, syntax, declaredEncoding(content))
      if (text) openEntries.set(text.part, { entry, encode: text.encode })
      else draft.keep('encoding', path)
      return text?.part
    },
    write(changed) {
      const contents = new Map<ZipEntry, Buffer>()
      for (const [part, source] of changed) {
        const target = openEntries.get(part)
        if (target) contents.set(target.entry, target.encode(source))
      }
      return contents.size ? replaceEntries(bytes, contents) : bytes
    },
  }
}

/** An Office file: its parts and how they refer to each other. */
export type Office = Archive & {
  relations: (path: string) => ReturnType<OfficePackage['relations']>
  main: string
  /** Opens a part with its elements; `names` are those to look at, where a part is large. */
  parse: (path: string | undefined, syntax: Syntax, names?: Set<string>) => OpenPart | undefined
}

export function openOffice(bytes: Buffer, fallback: string): Office {
  const archive = openParts(bytes)
  const file = openPackage(openArchive(bytes), fallback)
  keepOpaque(archive)
  return {
    ...archive,
    main: file.main,
    relations: (path) => file.relations(path),
    parse(path, syntax, names) {
      const part = archive.open(path, syntax)
      if (!part) return undefined
      const children = parseElements(part.source, names)
      if (children.length === 0 && !names) throw new AppError('document_damaged')
      const { length } = part.source
      const root = { name: '', attributes: {}, start: 0, open: 0, close: length, end: length, children }
      return { part, root }
    },
  }
}

/** Reports what an Office file carries beside its own text. */
function keepOpaque({ paths, draft }: Archive): void {
  for (const path of paths) {
    if (/\/media\/[^/]+\.(png|jpe?g|gif|bmp|tiff?|emf|wmf|svg|webp)$/i.test(path)) draft.keep('picture', path)
    else if (/\/embeddings\//i.test(path)) draft.keep('embedded', path)
    else if (/vbaProject\.bin$/i.test(path)) draft.keep('macro', path)
    else if (/^_xmlsignatures\/sig/i.test(path)) draft.keep('signature', path)
  }
}

export const toOpened = (format: string, { draft, write }: Archive): Opened => ({ format, draft, write })
