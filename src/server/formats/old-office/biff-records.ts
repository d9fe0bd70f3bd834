/** Records of Excel's binary format (MS-XLS 2.3). */
export const RECORD = {
  FORMULA: 0x06,
  EOF: 0x0a,
  HEADER: 0x14,
  FOOTER: 0x15,
  NOTE: 0x1c,
  DATEMODE: 0x22,
  FILEPASS: 0x2f,
  CONTINUE: 0x3c,
  FONT: 0x31,
  CODEPAGE: 0x42,
  OBJ: 0x5d,
  BOUNDSHEET: 0x85,
  MULRK: 0xbd,
  RSTRING: 0xd6,
  XF: 0xe0,
  MERGEDCELLS: 0xe5,
  SST: 0xfc,
  LABELSST: 0xfd,
  TXO: 0x1b6,
  NUMBER: 0x203,
  LABEL: 0x204,
  BOOLERR: 0x205,
  STRING: 0x207,
  ROW: 0x208,
  RK: 0x27e,
  FORMAT: 0x41e,
  BOF: 0x809,
  SERIESTEXT: 0x100d,
}

export type BiffRecord = { type: number; data: Buffer; parts: Buffer[] }

/** Yields the records from an offset on, each with the records that continue it. */
export function* readRecords(book: Buffer, start: number): Generator<BiffRecord> {
  for (let at = start; at + 4 <= book.length;) {
    const type = book.readUInt16LE(at)
    const parts: Buffer[] = []
    do {
      const length = book.readUInt16LE(at + 2)
      parts.push(book.subarray(at + 4, at + 4 + length))
      at += 4 + length
    } while (at + 4 <= book.length && book.readUInt16LE(at) === RECORD.CONTINUE)
    yield { type, data: parts[0] ?? Buffer.alloc(0), parts }
  }
}
