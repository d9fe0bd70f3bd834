import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Counts the real fsync calls of `inserts` commits: <directory> <inserts>. */
const [directory = '', inserts = ''] = process.argv.slice(2)
const real = fs.fsyncSync
let calls = 0
fs.fsyncSync = (descriptor) => {
  calls++
  real(descriptor)
}
syncBuiltinESMExports()

const { openDurablePglite } = await import('#server/core/database/durable-pglite.ts')
const database = await openDurablePglite(directory, () => process.exit(1))
await database.exec('CREATE TABLE t (n int)')
const before = calls
for (let n = 0; n < Number(inserts); n++) await database.query('INSERT INTO t VALUES ($1)', [n])
process.stdout.write(String(calls - before))
await database.close()
