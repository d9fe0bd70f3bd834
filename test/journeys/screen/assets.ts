import { readFileSync } from 'node:fs'
import { WEB_DIR } from '#server/core/pages/html-document.ts'

type Manifest = Record<string, { name?: string; file: string }>

/**
 * Returns the address of a part of the built app, by its name or by its source in the build's manifest: shared chunks have no
 * name in their addresses.
 */
export function matchAsset(name: string): string {
  const chunks = JSON.parse(readFileSync(`${WEB_DIR}/.vite/manifest.json`, 'utf8')) as Manifest
  const chunk = chunks[name] ?? Object.values(chunks).find((one) => one.name === name)
  return `**/${chunk!.file}`
}
