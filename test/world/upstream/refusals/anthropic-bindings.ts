import { createHash } from 'node:crypto'
import { readBinding } from '../signatures.ts'
import { isThought, listBlocks, listMessages, listPlacedBlocks } from './anthropic-checks.ts'
import { findFirst, readList, readObject, readText, rule } from './rule.ts'
import type { Body, Rule } from './rule.ts'

/**
 * Tells whether a model signs a thought together with the prompt before it, and reads it again only after the same one:
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks.md
 */
export const bindsThoughts = ({ model }: Body): boolean =>
  /^claude-((fable|mythos)-5-[12]|(opus|sonnet|haiku)-5-5)/.test(readText(model))

const BYTES = 8
const NONE = Buffer.alloc(BYTES)
const digest = (value: unknown): Buffer =>
  createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, BYTES)

/** Cache marks may change; so does Claude Code's first block, which `listSystem` leaves out. */
const normalize = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, one: unknown) => (key === 'cache_control' ? undefined : one)))
const listSystem = ({ system }: Body): Body[] =>
  listBlocks({ content: system ?? [] }).filter(
    ({ text }) => !readText(text).startsWith('x-anthropic-billing-header:'),
  )

/** Digests the prompt before a message, except tools looked up on demand and thoughts: each of these names the one before. */
function digestPrefix(body: Body, index: number): Buffer {
  const tools = readList(body.tools).filter(({ defer_loading }) => !defer_loading)
  const messages = listMessages(body)
    .slice(0, index)
    .map((message) => ({
      role: message.role,
      content: listBlocks(message).filter((one) => !isThought(one)),
    }))
  return digest(normalize([listSystem(body), tools, messages]))
}

const readSignature = ({ signature, data }: Body): string => readText(signature ?? data)

/** Binds the next thought to all of the prompt, and to the last thought in it. */
export function createBinding(body: Body): Buffer {
  const last = listPlacedBlocks(body).findLast(({ block }) => isThought(block))
  const before = last ? digest(readSignature(last.block)) : NONE
  return Buffer.concat([digestPrefix(body, listMessages(body).length), before])
}

/** The oldest thoughts may be left out, one between others may not. */
function findForeignThought(body: Body): string | null {
  let previous: string | null = null
  return findFirst(listPlacedBlocks(body), ({ index, at, block }) => {
    if (!isThought(block)) return null
    const binding = readBinding(readSignature(block))
    const [prefix, before] = [binding.subarray(0, BYTES), binding.subarray(BYTES)]
    const isMissing = previous !== null && !before.equals(NONE) && !before.equals(digest(previous))
    previous = readSignature(block)
    // A thought that another model signed is left out without an error.
    if (!binding.length) return null
    if (!prefix.equals(digestPrefix(body, index))) return `${at} differs`
    return isMissing ? `${at} misses` : null
  })
}

export const BINDING_RULES: Rule[] = [
  // Enforced for accounts that were created since September 2026.
  rule('thoughts-are-bound', 'https://github.com/anomalyco/opencode/issues/48637', (body) => {
    const { prefix_mismatch_behavior: behavior } = readObject(readObject(body.thinking).block_binding)
    const found = bindsThoughts(body) && behavior !== 'drop_block' ? findForeignThought(body) : null
    if (!found) return null
    const [at, fault] = found.split(' ')
    const why =
      fault === 'misses'
        ? ' The `thinking` block that preceded this one when it was created is missing from this request.'
        : ''
    return {
      message: `${at}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`thinking-binding-controls-2026-08-01\` value in the \`anthropic-beta\` header.${why}`,
    }
  }),
]
