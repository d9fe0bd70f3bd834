import { decodeUtf16 } from '../text/byte-decoder.ts'

/** A record of Office's binary drawings (MS-ODRAW), in whose form PowerPoint writes all of a file. */
export type BinaryRecord = { type: number; instance: number; data: Buffer; isContainer: boolean }

const MAX_DEPTH = 40

export function readRecord(file: Buffer, at: number): BinaryRecord | undefined {
  if (at + 8 > file.length) return undefined
  const head = file.readUInt16LE(at)
  const length = file.readUInt32LE(at + 4)
  const isContainer = (head & 0xf) === 0xf
  return {
    type: file.readUInt16LE(at + 2),
    instance: head >> 4,
    data: file.subarray(at + 8, at + 8 + length),
    isContainer,
  }
}

export function children(data: Buffer | undefined): BinaryRecord[] {
  const records: BinaryRecord[] = []
  for (let at = 0; data && at + 8 <= data.length; at += 8 + data.readUInt32LE(at + 4)) {
    const record = readRecord(data, at)
    if (record) records.push(record)
  }
  return records
}

export function findAll(data: Buffer, type: number, depth = 0): BinaryRecord[] {
  if (depth > MAX_DEPTH) return []
  return children(data).flatMap((record) =>
    record.type === type ? [record] : record.isContainer ? findAll(record.data, type, depth + 1) : [],
  )
}

/** Records of a shape, and properties of it by their numbers. */
const SHAPE = 0xf004
const SHAPE_ATOM = 0xf00a
const OPTIONS = new Set([0xf00b, 0xf121, 0xf122])
const PICTURE = 0x104
const ART_TEXT = 0xc0
const DESCRIPTION = 0x381

const GROUP = 0xf003

/** Reads the shapes of a drawing by their ids, and the shapes of each group by its id. */
export function readShapes(drawing: Buffer): { shapes: Map<number, Shape>; members: Map<number, number[]> } {
  const shapes = new Map<number, Shape>()
  const members = new Map<number, number[]>()
  const walk = (data: Buffer, depth: number): number[] => {
    if (depth > MAX_DEPTH) return []
    const ids = children(data).flatMap((record) => {
      if (record.type === GROUP) return walk(record.data, depth + 1)
      if (record.type !== SHAPE) return record.isContainer ? walk(record.data, depth + 1) : []
      const shape = readShape(record)
      shapes.set(shape.id, shape)
      return [shape.id]
    })
    // The first shape of a group is the group itself.
    if (ids.length > 1 && ids[0] !== undefined && depth > 1) members.set(ids[0], ids.slice(1))
    return ids
  }
  walk(drawing, 0)
  return { shapes, members }
}

/** A shape, with everything that it shows beside the text in it. */
export type Shape = {
  id: number
  isPicture: boolean
  /** The words that are drawn as a picture (WordArt). */
  art: string
  /** The description of the picture for people who do not see it. */
  description: string
}

function readShape({ data }: BinaryRecord): Shape {
  const shape: Shape = { id: 0, isPicture: false, art: '', description: '' }
  for (const { type, instance, data: bytes } of children(data)) {
    if (type === SHAPE_ATOM && bytes.length >= 4) shape.id = bytes.readUInt32LE(0)
    if (!OPTIONS.has(type)) continue
    // Long values lie behind the list, in its order.
    let at = instance * 6
    for (let entry = 0; entry + 6 <= Math.min(instance * 6, bytes.length); entry += 6) {
      const [code, value] = [bytes.readUInt16LE(entry), bytes.readUInt32LE(entry + 2)]
      const isLong = Boolean(code & 0x8000)
      const text = isLong ? decodeUtf16(bytes, at, at + value).replace(/\0.*$/s, '') : ''
      if (isLong) at += value
      const property = code & 0x3fff
      if (property === PICTURE && value) shape.isPicture = true
      else if (property === ART_TEXT) shape.art = text.replaceAll('\r', '\n').trim()
      else if (property === DESCRIPTION) shape.description = text.trim()
    }
  }
  return shape
}
