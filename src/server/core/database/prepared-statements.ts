import { messages, parse, protocol } from '@electric-sql/pglite'
import type { PGlite, Results } from '@electric-sql/pglite'
import type { RawResult } from './worker-protocol.ts'

/** Number of statements kept; the least recently used one goes first. */
const MAX_KEPT = 200
/** Longest statement kept, characters: longer ones are built for the values that they write, and seldom come again. */
const MAX_KEPT_LENGTH = 10_000

/** Commands that do not change the columns of tables. */
const DATA_COMMANDS = new Set(
  'SELECT INSERT UPDATE DELETE MERGE BEGIN COMMIT ROLLBACK SAVEPOINT RELEASE SET SHOW VACUUM CHECKPOINT'.split(
    ' ',
  ),
)

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>
/** A statement that PostgreSQL has parsed: the types of its parameters, and the message that describes its rows. */
type Prepared = { name: string; types: number[]; columns: Messages }

/** A parameter of a type that has no serializer. */
type Scalar = string | number | bigint | boolean

const { serialize } = protocol
const raw = { rowMode: 'array' } as const

/**
 * Runs statements one after the other, and keeps those with parameters parsed and planned, by their texts. PGlite's own `query`
 * parses each anew, and calls into WebAssembly six times for it; this calls once.
 */
export function createPreparedStatements(database: PGlite) {
  const preparedByText = new Map<string, Prepared>()
  let names = 0
  /** The open transaction has changed tables' columns, and may still roll that back. */
  let isChanging = false

  const send = (...parts: Uint8Array[]): Promise<Messages> =>
    database.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), { syncToFs: false })

  async function close(statements: Prepared[]): Promise<void> {
    if (statements.length) await send(...statements.map(({ name }) => serialize.close({ type: 'S', name })))
  }

  async function prepare(text: string): Promise<Prepared> {
    const name = text.length <= MAX_KEPT_LENGTH ? `kept_${++names}` : ''
    const described = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
    const columns = described.filter((message) => message instanceof messages.RowDescriptionMessage)
    return { name, types: parse.parseDescribeStatementResults(described), columns }
  }

  /** Keeps a statement as the one that was used last. */
  async function keep(text: string, prepared: Prepared): Promise<void> {
    preparedByText.delete(text)
    preparedByText.set(text, prepared)
    const [oldest] = preparedByText
    if (preparedByText.size <= MAX_KEPT || !oldest) return
    preparedByText.delete(oldest[0])
    await close([oldest[1]])
  }

  /** After its tables' columns have changed, a kept statement would fail, or describe its rows wrongly. */
  async function forgetAfterChange({ command = '' }: Results): Promise<void> {
    const ends = command === 'COMMIT' || command === 'ROLLBACK'
    if (DATA_COMMANDS.has(command) && !(isChanging && ends)) return
    isChanging = !ends
    const statements = [...preparedByText.values()]
    preparedByText.clear()
    await close(statements)
  }

  const toText = (param: Scalar | null | undefined, type: number | undefined) => {
    if (param === null || param === undefined) return null
    const serializeParam = type === undefined ? undefined : database.serializers[type]
    return serializeParam ? serializeParam(param) : String(param)
  }

  return {
    async query(text: string, params: unknown[]): Promise<RawResult> {
      const prepared = preparedByText.get(text) ?? (await prepare(text))
      const { name, types, columns } = prepared
      if (name) await keep(text, prepared)
      const values = params.map((param, index) => toText(param as Scalar, types[index]))
      const answer = await send(serialize.bind({ statement: name, values }), serialize.execute())
      const result = parse.parseResults([...columns, ...answer], database.parsers, raw)[0]!
      await forgetAfterChange(result)
      return result as RawResult
    },

    /** Several statements without parameters. */
    async exec(text: string): Promise<RawResult[]> {
      const results = await database.exec(text, raw)
      for (const result of results) await forgetAfterChange(result)
      return results as RawResult[]
    },
  }
}
