import { z } from 'zod'

const tokens = z.int().min(1).max(100_000_000)
const name = z.string().min(1).max(120)

function isRegExp(source: string): boolean {
  try {
    return Boolean(new RegExp(source))
  } catch {
    return false
  }
}

/** In ascending order. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const effort = z.enum(efforts)

/** Needs of a call that not every model or platform can meet. */
const needs = [
  'tools',
  'forced_tool',
  'json',
  'json_schema',
  'prefix',
  'vision',
  'files',
  'audio',
  'choices',
] as const

const fieldValues = z.record(z.string().min(1).max(60), z.json())

const thinkingSchema = z.strictObject({
  on: fieldValues.optional().describe('Fields that switch it on, where it is not on anyway'),
  off: fieldValues
    .optional()
    .describe('Fields that switch it off; without them (and without an effort none) it thinks always'),
  refuses_forced_tools: z
    .boolean()
    .optional()
    .describe('Cannot be made to call a tool while it thinks: it is switched off for such a call'),
  efforts: z
    .array(effort)
    .min(1)
    .optional()
    .describe('Values of reasoning_effort; others become the nearest'),
  budget: z
    .strictObject({ field: name, max: tokens })
    .optional()
    .describe('The field that bounds it in tokens, and the most that it takes'),
  forms: z
    .array(z.enum(['adaptive', 'budget', 'level']))
    .min(1)
    .optional()
    .describe(
      'Of the dialects anthropic (adaptive, budget) and gemini (level, budget); the first is preferred',
    ),
})

const fittingNames = z.strictObject({
  pattern: z.string().min(1).max(100).refine(isRegExp, 'no regular expression'),
  chars: z.int().min(1).max(200).describe('Length of what takes the place of one that does not match'),
})

const promptTraitsSchema = z.strictObject({
  system_messages: z
    .enum(['anywhere', 'first', 'apart'])
    .describe('anywhere; one, and first; or apart from the conversation, as the other dialects have it'),
  reasoning: z
    .enum(['reasoning_content', 'reasoning_details', 'reasoning', 'content', 'signed', 'unsigned', 'unread'])
    .describe(
      'How it gets back what it thought: in a field of this name, as parts of the content (content), as blocks with or without a signature (dialect anthropic), or not at all (unread)',
    ),
  needs_reasoning: z.boolean().describe('Refuses the call of a tool without what was thought before it'),
  bound_reasoning: z
    .boolean()
    .describe('Dialect anthropic: refuses what it thought where the prompt before that has changed'),
  call_ids: fittingNames.describe('Ids of tool calls that it takes'),
  tool_names: fittingNames.describe('Names of tools that it takes'),
  any_of_types: z.boolean().describe('Refuses a schema with a type beside anyOf'),
  results_before_answers: z.boolean().describe('Refuses a message of the user after the result of a tool'),
  json_mode: z.boolean().describe('Can be made to answer with an object of whatever fields'),
  null_content: z.boolean().describe('Takes null for the content of a message that only calls tools'),
  message_fields: z.array(name).describe("Fields of callers' messages that it knows"),
  stops: z.strictObject({
    max: z.int().min(0).max(1000).describe('Stop sequences of a call'),
    blank: z.boolean().describe('Takes those of white space'),
  }),
  deferred_tools: z.boolean().describe('Searches for tools by itself among those that are declared for that'),
  billing_header: z.boolean().describe("Reads the block with which Claude Code's prompts begin"),
})

/** A family: models of a platform by their names, with their abilities and limits. */
export const familySchema = z.strictObject({
  models: z
    .string()
    .min(1)
    .max(300)
    .refine(isRegExp, 'no regular expression')
    .describe(
      "Regular expression of the platform's names of the models; the first family that matches counts",
    ),
  fields: z.array(name).default([]).describe('As of the platform, for these models only'),
  refuses: z
    .array(name)
    .default([])
    .describe(
      'Fields of the dialect that they refuse or ignore at a cost: temperature, stop, seed. They are left out',
    ),
  lacks: z.array(z.enum(needs)).default([]).describe('Calls that need one of these go to other offers'),
  max_tokens: z.enum(['max_tokens', 'max_completion_tokens']).optional().describe('Default: max_tokens'),
  system: z.enum(['system', 'developer']).optional().describe('The role of instructions. Default: system'),
  system_turns: z
    .boolean()
    .optional()
    .describe('Dialect anthropic: takes instructions within the conversation'),
  prefix: name
    .optional()
    .describe(
      'Field of the last message, of the assistant, that says it is to be continued: prefix, partial',
    ),
  adds: fieldValues.optional().describe('Fields that every call has unless its caller says otherwise'),
  with_tools: fieldValues.optional().describe('Fields that a call with tools must have'),
  prompt: promptTraitsSchema
    .partial()
    .optional()
    .describe('How its prompts must look, where that differs from what is known of the model'),
  silent_thinking: z
    .boolean()
    .optional()
    .describe('Sends nothing while it thinks: its first byte may take five times timeout_ms'),
  batch: z.int().min(1).max(10_000).optional().describe('Inputs of an embedding call at most'),
  renames: z
    .record(name, name.nullable())
    .optional()
    .describe('Fields of an operation under the name that it has for them; null: it has none'),
  thinking: thinkingSchema
    .nullish()
    .describe('How it is made to think, or not. null: it cannot. Absent: as OpenAI documents it, up to high'),
})

export type FamilyEntry = z.output<typeof familySchema>
/** The form that prompts of a model must have. */
export type PromptTraits = z.output<typeof promptTraitsSchema>
export type Effort = (typeof efforts)[number]
export type Need = (typeof needs)[number]
