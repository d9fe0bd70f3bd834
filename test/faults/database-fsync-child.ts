import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** A program that counts the real fsync calls of an opening and of `inserts` commits: <directory> <inserts> [crash]. */
const [directory = '', inserts = '', end] = process.argv.slice(2)
const real = fs.fsyncSync
let calls = 0
fs.fsyncSync = (descriptor) => {
  calls++
  real(descriptor)
}
syncBuiltinESMExports()

const { openDurablePglite } = await import('#server/core/database/durable-pglite.ts')
const database = await openDurablePglite(directory, () => process.exit(1))
const opening = calls
await database.exec('CREATE TABLE IF NOT EXISTS t (n int)')
const before = calls
for (let n = 0; n < Number(inserts); n++) await database.query('INSERT INTO t VALUES ($1)', [n])
fs.writeSync(1, `${opening} ${calls - before}\n`)
if (end === 'crash') process.kill(process.pid, 'SIGKILL')
await database.close()
