import { createReadStream } from 'node:fs'
import { link, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { computeDigest } from './verified-reader.ts'

/** Moves a synced file into its place, so that it is there after a power cut. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await rename(from, to)
  await syncFolder(to)
}

/**
 * Gives a synced file of this MD5 a free place, so that it is there after a power cut. The same bytes in that place stay; a file
 * there without the MD5 was damaged, and is replaced. Returns false where other bytes with the same MD5 are there.
 */
export async function placeOnce(from: string, to: string, md5: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true })
  if (!(await linkNew(from, to))) {
    if (await hasSameBytes(from, to)) return true
    if ((await computeDigest(createReadStream(to), 'md5')) === md5) return false
    await rename(from, to)
  }
  await syncFolder(to)
  return true
}

/** Gives a file a second name; returns false where the name is taken. */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // Some file systems have one name for each file.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error
    if (await exists(to)) return false
    await rename(from, to)
    return true
  }
}

const exists = (path: string): Promise<boolean> =>
  open(path).then(
    (file) => file.close().then(() => true),
    () => false,
  )

async function hasSameBytes(one: string, other: string): Promise<boolean> {
  const digest = (path: string): Promise<string> => computeDigest(createReadStream(path), 'sha256')
  return (await stat(one)).size === (await stat(other)).size && (await digest(one)) === (await digest(other))
}

async function syncFolder(path: string): Promise<void> {
  // Windows has no folders that can be opened.
  if (process.platform === 'win32') return
  const dir = await open(dirname(path))
  try {
    await dir.sync()
  } finally {
    await dir.close()
  }
}
