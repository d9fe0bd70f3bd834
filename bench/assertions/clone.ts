import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Repository } from './assertion.ts'

/** Returns the folder of a project's repository within `folder`; fetches its newest commit, of its tests alone, where there is none. */
export function findClone({ name, repository, folders }: Repository, folder: string): string {
  const clone = join(folder, name)
  if (existsSync(clone)) return clone
  const git = (...args: string[]): void =>
    void execFileSync('git', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  git('clone', '--depth', '1', '--filter=blob:none', '--sparse', repository, clone)
  git('-C', clone, 'sparse-checkout', 'set', ...folders)
  return clone
}
