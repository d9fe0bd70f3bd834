import type { ChatRequest } from '../chat-request.ts'
import type { PromptTraits } from '../catalogue/family-schema.ts'
import type { Need } from '../needs.ts'
import { askInWords } from './asked-in-words.ts'
import { repairArguments } from './call-arguments.ts'
import { fitCallIds } from './call-ids.ts'
import { fillEmptyMessages } from './empty-messages.ts'
import { labelPictures } from './pictures.ts'
import { omitBillingHeader, placeSystemMessages } from './system-messages.ts'
import { fitReasoning } from './reasoning.ts'
import { fitToolNames } from './tool-names.ts'
import type { OwnNames } from './tool-names.ts'
import { orderToolResults } from './tool-results.ts'
import { completeSchemas } from './tool-schemas.ts'

/**
 * Fits a request to a platform's model, since any protocol allows prompts that are refused somewhere. The traits say what the
 * platform wants, each function changes one thing, and the dialect's builder then only writes what is there. `lacks`: needs that
 * the platform cannot meet; the model is asked for them in words where that helps.
 */
export function fitPrompt(
  original: ChatRequest,
  traits: PromptTraits,
  lacks: readonly Need[] = [],
): { request: ChatRequest; ownNames: OwnNames } {
  const request = askInWords(original, traits.json_mode ? lacks : [...lacks, 'json'])
  const offered = traits.deferred_tools ? request : omitDeferredTools(request)
  const fittedNames = fitToolNames(offered, traits.tool_names)
  const { stop_sequences } = request
  const fitted: ChatRequest = {
    ...completeSchemas(fittedNames.request, traits.any_of_types),
    messages: fitMessages(fittedNames.request, traits),
    ...(stop_sequences ? { stop_sequences: fitStops(stop_sequences, traits.stops) } : {}),
  }
  return { request: fitted, ownNames: fittedNames.ownNames }
}

function fitMessages({ messages }: ChatRequest, traits: PromptTraits): ChatRequest['messages'] {
  const headed = traits.billing_header ? messages : omitBillingHeader(messages)
  const ordered = orderToolResults(fillEmptyMessages(headed))
  const placed = placeSystemMessages(ordered, traits.system_messages)
  return labelPictures(fitReasoning(fitCallIds(repairArguments(placed), traits.call_ids), traits))
}

/** Leaves out tools that a search has not found: as plain tools they would only be in the way. */
function omitDeferredTools(request: ChatRequest): ChatRequest {
  if (!request.tools?.some(({ deferred }) => deferred)) return request
  const tools = request.tools.filter(({ deferred }) => !deferred)
  return tools.length ? { ...request, tools } : { ...request, tools: undefined, tool_choice: undefined }
}

/** An empty sequence is refused everywhere. Returns undefined where none is left. */
function fitStops(sequences: string[], { max, blank }: PromptTraits['stops']): string[] | undefined {
  const fitting = sequences.filter((one) => (blank ? one : one.trim())).slice(0, max)
  return fitting.length ? fitting : undefined
}
