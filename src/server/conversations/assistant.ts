import type { HandlerInput } from '#contract/call.ts'
import type { chatCalls, ChatMessage, ChatStreamEvent } from '#contract/chat.ts'
import type {
  AgentQuestion,
  ComparisonQuestion,
  DocumentQuestion,
  GeneralQuestion,
  TranslationQuestion,
} from '#contract/questions/questions.ts'
import type { SearchSource } from '#contract/web-search.ts'
import type { SessionSettings } from '#contract/conversations/sessions.ts'
import { AppError } from '#server/core/app-error.ts'
import type { Db } from '#server/core/database/database.ts'
import type { Holder } from '#server/core/capacity.ts'
import type { Visitor } from '#server/core/http.ts'
import type { IdempotencyKey } from '#server/core/idempotency.ts'
import type { ModelEntry, PromptMessage, RoutePreference } from '#server/llm/llm.ts'
import type { ChatRunRequest, RunResult } from '#server/runs/runs.ts'

/** A question in any channel. */
export type TurnInput = HandlerInput<(typeof chatCalls)['POST /api/chat/create']>['body']
/** The fields that every channel's questions have, and those that only some have. */
export type QuestionFields = Pick<TurnInput, keyof TurnInput> & Partial<GeneralQuestion & TranslationQuestion>
export type TurnContext = {
  visitor: Visitor
  /** The client's key in limits by address. */
  client: string
  /** The key of a request that must not be carried out twice. */
  idempotency: IdempotencyKey | null
}

/**
 * The differences between channels, which share sessions, versions, streams, search and copies. `Input` has the fields of a
 * question in its channel (contract/questions/questions.ts).
 *
 * ```ts
 * export const createEchoAssistant = ({ users }: Options): Assistant<GeneralQuestion> => ({
 *   async prepareTurn({ visitor }, input) {
 *     if (input.tools?.length) throw new AppError('tool_unknown')
 *     const { model, provider_sort } = await users.getPreferences(visitor.user_id)
 *     return {
 *       getInitialModel: (session) => session.model ?? model,
 *       preference: resolvePreference(undefined, undefined, { provider_sort }),
 *       preparePrompt: () => ({ system: '重复用户的话。', tools: [], preparation: null }),
 *     }
 *   },
 * })
 * ```
 */
export type Assistant<Input = TurnInput> = {
  /** Throws AppError if a user may not begin a conversation with a chatbot of its channel; absent where everybody may. */
  checkAccess?(userId: string, chatbot: string): Promise<void>
  /**
   * For a channel in which several models answer a question side by side, each in its own lane: returns the lanes of a session,
   * which is locked; only those of `models`, if given. In it each question follows the last question, and its answers are its
   * children, so that one lane can answer again without a change to the others. Throws AppError.
   */
  getLanes?(tx: Db, sessId: string, models: string[] | null): Promise<Lane[]>
  /** Tells whether each event of a model has the whole text so far, for other models than those that always have it. */
  repeatsText?(model: string): boolean
  /** Returns the events of an object of its channel that is no turn; null if the user has none with this id. */
  watchOther?(
    userId: string,
    id: string,
  ): Promise<((signal: AbortSignal) => AsyncGenerator<AnswerEvent>) | null>
  /** Called when a session of its channel was copied. */
  onFork?(tx: Db, from: string, to: string): Promise<void>
  /** Checks whether the user may ask this, and reads the data for the turn, before anything is stored. Throws AppError. */
  prepareTurn(context: TurnContext, input: Input): Promise<AssistantTurn>
}

/** The model of one of several answers, and its settings besides the session's. */
export type Lane = {
  model: string
  settings: { [Name in keyof SessionSettings]?: SessionSettings[Name] | undefined } | null
}

/** One turn, as its assistant wants it. */
export type AssistantTurn = {
  /** The session that the chatbot's id names, and its channel. */
  session?: { chatbot: string; sess_id: string }
  /** Returns the model where the request names none; null or an unusable one means the product's default. */
  getInitialModel(session: { model: string | null }): string | null
  /** Only the initial model answers, whichever model is requested. */
  has_own_model?: boolean
  preference: RoutePreference
  /** Kind by which its runs are billed; `chat` when absent. The completion hook of the kind calls `completeAnswers`. */
  run_kind?: 'translation'
  /** The agent that answers, stored with its answers. */
  agent?: string
  /** The words of a spoken question, which replace its text. */
  spoken?: string | undefined
  /** The part of the answer known before a model is called. */
  prefilled?: PrefilledAnswer | null
  /** Answers may stream; false overrides question and session. */
  stream?: boolean
  /** Overrides the question's wish for further questions. */
  related_prompts?: boolean
  /**
   * Called in the turn's transaction before any hold, with the number of answers, for the assistant's own limits. Throws
   * AppError.
   */
  beforeRun?(tx: Db, answers: number): Promise<void>
  /** Called for each model that answers. */
  preparePrompt(turn: PromptContext): PromptPlan
}

export type PromptContext = {
  question: string
  /** An answer to continue, in its present state; null for a new one. */
  partial: Pick<ChatMessage, 'text' | 'search'> | null
  /** The conversation so far, newest first. */
  history: Pick<ChatMessage, 'role' | 'text' | 'search'>[]
  /** The requested tools; none when an answer continues. */
  tools: string[]
  /** Blocks that the question is about: its own, else those of the last question that named some. */
  blocks: string[]
  settings: SessionSettings
  model: ModelEntry
}

export type PromptPlan = {
  /** The system message; none if empty. */
  system: string
  /** Sends the question without the conversation so far. */
  alone?: boolean
  /** Overrides the session's setting. */
  max_tokens?: number
  temperature?: number
  /** The tools in use, which are stored with the messages. */
  tools: string[]
  /** Work between the hold and the first call to a platform. */
  preparation: PromptPreparation | null
  /** Makes a guard that reads the answer before its reader, given the messages that were sent. */
  createGuard?: ChatRunRequest['createGuard']
  /** Called in the transaction that stores the model's output; not if this process has died. */
  onSettled?: ChatRunRequest['onSettled']
}

/** An answer that is known in part: a model is called for the missing part; none, if nothing is missing. */
export type PrefilledAnswer = {
  start: string
  /** Replaces the question; null if nothing is missing. */
  question: string | null
  /** Follows the model's text, if that comes to its end. */
  end: string
}

export type PromptPreparation = {
  /** Most tokens that it adds to the prompt: they are held, and the conversation so far leaves room for them. */
  reserved_tokens: number
  /** Reserves the capacity of this process that it needs, before any hold. Throws AppError. */
  reserve?: ((tx: Db, holders: readonly Holder[]) => Promise<void>) | undefined
  /** Releases it when the prompt is no longer needed. May be called more than once. */
  release?: (() => void) | undefined
  /** Makes the messages to send from those of the conversation; the question is the last one. */
  buildMessages(messages: PromptMessage[], step: PreparationStep): Promise<PromptMessage[]>
  /** Returns the note to store with the ended answer, by the text that its run added; null keeps the stored one. */
  finish?: (text: string) => AnswerNote | null
}

type PreparationStep = {
  signal: AbortSignal
  /** Sends its progress to the answer's readers. */
  publishNote: (note: AnswerNote) => void
  /** Stores the outcome with the answer, and sends it to its readers. */
  saveNote: (note: AnswerNote) => Promise<void>
  /** Sources that earlier steps found for the answer. */
  sources?: SearchSource[]
}

/** An event for a reader of an answer, and at last its end; `id`: the position from which a returning reader continues. */
export type AnswerEvent = { id?: string; data: ChatStreamEvent } | { end: Pick<RunResult, 'state' | 'code'> }

/** A preparation's addition to an answer besides its text, as the wire has it. */
export type AnswerNote = Pick<ChatMessage, 'search'>

/** Joins two preparations: the second continues with the first one's messages, and numbers its sources after the first one's. */
export function joinPreparations(
  first: PromptPreparation | null,
  second: PromptPreparation | null,
): PromptPreparation | null {
  if (!first || !second) return first ?? second
  const { finish = first.finish } = second
  return {
    reserved_tokens: first.reserved_tokens + second.reserved_tokens,
    async reserve(tx, holders) {
      await first.reserve?.(tx, holders)
      await second.reserve?.(tx, holders)
    },
    release() {
      first.release?.()
      second.release?.()
    },
    async buildMessages(messages, step) {
      let { sources } = step
      const saveNote: typeof step.saveNote = async (note) => {
        sources = note.search?.sources ?? []
        await step.saveNote(note)
      }
      const prepared = await first.buildMessages(messages, { ...step, saveNote })
      return second.buildMessages(prepared, { ...step, ...(sources ? { sources } : {}) })
    },
    ...(finish ? { finish } : {}),
  }
}

/** Channel type → its assistant: a `chatbot` is `{type}` or `{type}-{id}`. */
export type Assistants = {
  dati?: Assistant<GeneralQuestion> | undefined
  zhiku?: Assistant<AgentQuestion> | undefined
  block?: Assistant<DocumentQuestion> | undefined
  compare?: Assistant<ComparisonQuestion> | undefined
  fanyi?: Assistant<TranslationQuestion> | undefined
}

/** Throws AppError channel_unavailable, agent_required; not_found for a visitor who may only talk with another chatbot. */
export function requireAssistant(
  assistants: Assistants,
  chatbot: string,
  visitor: Pick<Visitor, 'chatbot'> = {},
): Assistant {
  if (visitor.chatbot !== undefined && visitor.chatbot !== chatbot) throw new AppError('not_found')
  // The channel of agents, without an agent.
  if (chatbot === 'zhiku') throw new AppError('agent_required')
  if (chatbot === 'block') throw new AppError('channel_unavailable')
  const assistant = findAssistant(assistants, chatbot)
  if (!assistant) throw new AppError('channel_unavailable')
  return assistant
}

/** Returns undefined if a conversation's channel is no longer served. */
export function findAssistant(assistants: Assistants, chatbot: string): Assistant | undefined {
  // Each gets only questions of its own type: the list of fields was chosen by the same chatbot.
  const byType: Record<string, Assistant | undefined> = assistants
  const type = chatbot.split('-')[0]!
  return Object.hasOwn(byType, type) ? byType[type] : undefined
}
