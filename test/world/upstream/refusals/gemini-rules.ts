import { findFirst, readList, readObject, readText, readTexts, rule } from './rule.ts'
import type { Body, Rule } from './rule.ts'

/** https://ai.google.dev/api/generate-content */
const FIELDS = (
  'contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent serviceTier store model ' +
  'labels'
).split(' ')
const CONFIG_FIELDS = (
  'stopSequences responseMimeType responseSchema responseJsonSchema _responseJsonSchema responseModalities ' +
  'candidateCount maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs ' +
  'enableEnhancedCivicAnswers speechConfig thinkingConfig imageConfig mediaResolution'
).split(' ')
const PART_FIELDS = (
  'text inlineData fileData functionCall functionResponse executableCode codeExecutionResult thought ' +
  'thoughtSignature videoMetadata partMetadata mediaResolution toolCall toolResponse'
).split(' ')
/** A declaration's `parameters` understand only these keywords of JSON schema: https://ai.google.dev/api/caching#Schema */
const SCHEMA_FIELDS = (
  'type format title description nullable enum maxItems minItems properties required minProperties maxProperties ' +
  'minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum'
).split(' ')

const listDeclarations = (body: Body): { at: string; declaration: Body }[] =>
  readList(body.tools).flatMap(({ functionDeclarations }, tool) =>
    readList(functionDeclarations).map((declaration, index) => ({
      at: `tools[${tool}].function_declarations[${index}]`,
      declaration,
    })),
  )
const listParts = ({ parts }: Body): Body[] => readList(parts)
const count = (content: Body | undefined, kind: string): number =>
  content ? listParts(content).filter((part) => kind in part).length : 0

const unknownName = (name: string, at: string) => ({
  message: `Invalid JSON payload received. Unknown name "${name}"${at && ` at '${at}'`}: Cannot find field.`,
})
const findUnknown = (object: Body, known: string[], at: string) => {
  const name = Object.keys(object).find((one) => !known.includes(one) && object[one] !== undefined)
  return name === undefined ? null : unknownName(name, at)
}

function findUnknownInSchema(schema: unknown, at: string): ReturnType<typeof unknownName> | null {
  const { properties, items, anyOf, ...rest } = readObject(schema)
  return (
    findUnknown(rest, SCHEMA_FIELDS, at) ??
    findFirst(Object.values(readObject(properties)), (one, index) =>
      findUnknownInSchema(one, `${at}.properties[${index}].value`),
    ) ??
    (items === undefined ? null : findUnknownInSchema(items, `${at}.items`)) ??
    findFirst(readList(anyOf), (one, index) => findUnknownInSchema(one, `${at}.any_of[${index}]`))
  )
}

export const GEMINI_RULES: Rule[] = [
  rule('fields-are-known', 'https://github.com/HELPMEEADICE/doge-code/issues/16', (body) =>
    findUnknown(body, FIELDS, ''),
  ),
  rule('config-fields-are-known', 'https://ai.google.dev/api/generate-content', ({ generationConfig }) =>
    findUnknown(readObject(generationConfig), CONFIG_FIELDS, 'generation_config'),
  ),
  rule('part-fields-are-known', 'https://github.com/google-gemini/gemini-cli/issues/13972', ({ contents }) =>
    findFirst(readList(contents), (content, index) =>
      findFirst(listParts(content), (part, position) =>
        findUnknown(part, PART_FIELDS, `contents[${index}].parts[${position}]`),
      ),
    ),
  ),
  rule('schemas-are-openapi', 'https://github.com/zed-industries/zed/issues/44875', (body) =>
    findFirst(listDeclarations(body), ({ at, declaration }) =>
      findUnknownInSchema(declaration.parameters, `${at}.parameters`),
    ),
  ),
  rule('contents-are-there', 'https://ai.google.dev/api/generate-content', ({ contents }) =>
    readList(contents).length
      ? null
      : { message: '* GenerateContentRequest.contents: contents is not specified\n' },
  ),
  rule('parts-are-there', 'https://github.com/egoist/chatwise-releases/issues/250', ({ contents }) =>
    findFirst(readList(contents), (content, index) =>
      listParts(content).length
        ? null
        : {
            message: `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`,
          },
    ),
  ),
  rule('parts-have-data', 'https://github.com/router-for-me/CLIProxyAPI/issues/1292', ({ contents }) =>
    findFirst(readList(contents), (content, index) =>
      findFirst(listParts(content), (part, position) =>
        Object.keys(part).some((field) => field !== 'thought' && field !== 'thoughtSignature')
          ? null
          : {
              message: `* GenerateContentRequest.contents[${index}].parts[${position}].data: required oneof field 'data' must have one initialized field\n`,
            },
      ),
    ),
  ),
  rule('calls-follow-user', 'https://github.com/google-gemini/gemini-cli/issues/11814', (body) => {
    const contents = readList(body.contents)
    return findFirst(contents, (content, index) =>
      count(content, 'functionCall') && contents[index - 1]?.role !== 'user'
        ? {
            message:
              'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
          }
        : null,
    )
  }),
  rule('tool-names', 'https://github.com/kaitranntt/ccs/issues/219', (body) =>
    findFirst(listDeclarations(body), ({ at, declaration }) =>
      /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(readText(declaration.name))
        ? null
        : {
            message: `* GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n`,
          },
    ),
  ),
  rule('tool-names-differ', 'https://github.com/owndev/Open-WebUI-Functions/issues/135', (body) => {
    const names = listDeclarations(body).map(({ declaration }) => readText(declaration.name))
    const twice = names.find((name, index) => names.indexOf(name) < index)
    return twice === undefined ? null : { message: `Duplicate function declaration found: ${twice}` }
  }),
  rule('responses-as-many-as-calls', 'https://github.com/google-gemini/gemini-cli/issues/16543', (body) => {
    const contents = readList(body.contents)
    return findFirst(contents, (content, index) => {
      const calls = count(content, 'functionCall')
      const responses = count(contents[index + 1], 'functionResponse')
      const isStray = count(content, 'functionResponse') > 0 && !count(contents[index - 1], 'functionCall')
      return (calls && calls !== responses) || isStray
        ? {
            message:
              'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
          }
        : null
    })
  }),
  // Only the first of parallel calls has one; a stand-in, `skip_thought_signature_validator`, passes, as does any text.
  rule('signatures-come-back', 'https://ai.google.dev/gemini-api/docs/thought-signatures', (body, path) => {
    if (!/\/models\/gemini-([3-9]|\d\d)/.test(path)) return null
    const contents = readList(body.contents)
    const isSpoken = (content: Body): boolean =>
      content.role !== 'model' && !count(content, 'functionResponse')
    const turn = contents.findLastIndex(isSpoken)
    return findFirst(contents, (content, index) => {
      const call = listParts(content).find((part) => 'functionCall' in part)
      if (index < turn || !call || readText(call.thoughtSignature)) return null
      const name = readText(readObject(call.functionCall).name)
      return {
        message: `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
      }
    })
  }),
  rule('at-most-5-stops', 'https://github.com/continuedev/continue/issues/2702', ({ generationConfig }) =>
    readTexts(readObject(generationConfig).stopSequences).length > 5
      ? { message: 'the number of stop_sequences must not exceed 5' }
      : null,
  ),
]
