import type { GatewayCallKey } from '#contract/gateway/calls.ts'
import type { ProtocolAdapter } from '../pipeline/chat-call.ts'
import type { CallBody } from '../pipeline/context.ts'
import { createAgentChat } from './agent-chat/agent-chat.ts'
import type { AgentAnswers } from './agent-chat/agent-chat.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { openAiChat } from './openai-chat/openai-chat.ts'
import { openAiCompletions } from './openai-chat/text-completions.ts'
import { openAiResponses } from './openai-responses/openai-responses.ts'

export type Protocols = ReturnType<typeof createProtocols>

/** The chat protocols of the gateway by their calls: another one is another line here, and a call in the contract. */
export const createProtocols = (agents: AgentAnswers) =>
  ({
    'POST /chat/completions': openAiChat,
    'POST /messages': anthropic,
    'POST /responses': openAiResponses,
    'POST /completions': openAiCompletions,
    'POST /agent/chat': createAgentChat(agents),
  }) satisfies { [Key in GatewayCallKey]?: ProtocolAdapter<CallBody<Key>> }
