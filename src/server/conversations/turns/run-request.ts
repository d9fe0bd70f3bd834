import { THINKING } from '#contract/chat-tools.ts'
import { MAX_BLOCKS_PER_QUESTION } from '#contract/questions/questions.ts'
import type { SessionSettings } from '#contract/conversations/sessions.ts'
import type { Db } from '#server/core/database/database.ts'
import { applyThinking, getModelThinking } from '#server/llm/llm.ts'
import type { Catalogue, ModelEntry } from '#server/llm/llm.ts'
import type { ChatRunRequest, PromptPreparation as RunPreparation } from '#server/runs/runs.ts'
import type { AssistantTurn, PromptPlan, QuestionFields, TurnContext } from '../assistant.ts'
import type { MessageRow } from '../messages/store.ts'
import { buildPrompt } from '../prompt.ts'
import type { PendingTurn } from './resolve-turn.ts'
import { saveAnswerNote } from './store.ts'

/** A model that answers, its lane (empty if there are none), and the settings of session and lane. */
export type AnsweringModel = { lane: string; model: ModelEntry; settings: SessionSettings }

type PendingAnswer = AnsweringModel & {
  context: Pick<TurnContext, 'visitor'>
  input: Pick<QuestionFields, 'block' | 'content_type' | 'continue' | 'tools'>
  assistantTurn: AssistantTurn
  turn: PendingTurn
  history: MessageRow[]
}

/** Builds the run that answers a question, and lists the tools in use. */
export function buildRunRequest(
  { db, catalogue }: { db: Db; catalogue: Catalogue },
  { context, input, assistantTurn, turn, history, lane, model, settings }: PendingAnswer,
): { run: ChatRunRequest; tools: string[]; preparation: PromptPlan['preparation'] } {
  const { user_id, account_id, guest, budgets } = context.visitor
  // A continued answer was prepared by its first run.
  const tools = input.continue ? [] : (input.tools ?? turn.question?.tools ?? [])
  const questions = history.filter(({ role }) => role === 'human')
  const blocks = findBlockIds([turn.question ?? input, ...questions])
  const question = turn.text
  const partial = turn.answer ?? null
  const plan = assistantTurn.preparePrompt({
    question,
    partial,
    history,
    tools,
    blocks,
    settings,
    model,
  })
  const messages = buildPrompt({
    question,
    partial_answer: partial?.text ?? '',
    history: plan.alone ? [] : history,
    lane,
    model,
    system: plan.system,
    reserved_tokens: plan.preparation?.reserved_tokens ?? 0,
  })
  const { max_tokens = settings.max_tokens, temperature = settings.temperature } = plan
  const run = {
    user_id,
    account_id,
    budgets,
    kind: assistantTurn.run_kind ?? 'chat',
    subject_id: turn.chat_id,
    model: model.id,
    prompt: applyThinking(
      {
        messages,
        max_tokens: Math.min(max_tokens, model.max_tokens),
        ...(temperature === null ? {} : { temperature }),
      },
      getThinking(catalogue, model, input.continue ? null : (input.tools ?? turn.question?.tools ?? null)),
    ),
    prepare: toRunPreparation(db, plan),
    createGuard: plan.createGuard,
    onSettled: plan.onSettled,
    preference: assistantTurn.preference,
    free: guest,
  } satisfies ChatRunRequest
  return { run, tools: plan.tools, preparation: plan.preparation }
}

/** Returns how the model is to think; undefined leaves that to it, if it cannot be switched or nobody chose. */
function getThinking(
  catalogue: Catalogue,
  model: ModelEntry,
  tools: string[] | null,
): 'on' | 'off' | undefined {
  if (!tools || getModelThinking(model, catalogue.listOffers(model.id)) !== 'switch') return undefined
  return tools.includes(THINKING) ? 'on' : 'off'
}

/** Returns the blocks of the first of these questions that is about some. The first block of a spoken one is its recording. */
function findBlockIds(questions: Pick<QuestionFields, 'block' | 'content_type'>[]): string[] {
  for (const { block, content_type } of questions) {
    const about = (block ? block.split(',') : []).slice(content_type === 'audio' ? 1 : 0)
    if (about.length) return [...new Set(about)].slice(0, MAX_BLOCKS_PER_QUESTION)
  }
  return []
}

/** Adapts an assistant's preparation to a run, and stores its notes with the run's answer. */
function toRunPreparation(db: Db, { preparation }: PromptPlan): RunPreparation | undefined {
  if (!preparation) return undefined
  const { reserved_tokens, release, finish } = preparation
  return {
    reserved_tokens,
    release,
    buildMessages: ({ run_id, messages, signal, setNote }) =>
      preparation.buildMessages(messages, {
        signal,
        publishNote: setNote,
        async saveNote(note) {
          await saveAnswerNote(db, run_id, note)
          setNote(note)
        },
      }),
    finish,
  }
}
