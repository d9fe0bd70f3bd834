import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Release } from '#contract/notifications/notifications.ts'

const RELEASES_DIR = resolve('config/releases')

/**
 * Loads the release notes, the newest first: a file for each release, named `{date}-{anything}.md`, with its title in the first
 * line. Throws an Error that names an invalid file.
 */
export const loadReleases = (dir = RELEASES_DIR): Release[] =>
  readdirSync(dir)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .reverse()
    .map((name) => parseRelease(name, readFileSync(join(dir, name), 'utf8')))

function parseRelease(name: string, content: string): Release {
  const [, date] = /^(\d{4}-\d\d-\d\d)-[\w-]+\.md$/.exec(name) ?? []
  const [, title, text] = /^# (.+)\n\s*([\s\S]+)$/.exec(content) ?? []
  if (!date || !title || !text) throw new Error(`${name} is no release note (see config/README.md)`)
  return { id: name.slice(0, -'.md'.length), date, title, text: text.trim() }
}
