import type { VendorError } from './rejection.ts'

// Tells the meaning of errors by their words and codes, those of the vendors and of the servers that people run.

/**
 * Errors of the operator's account at the platform, reported with a status for bad requests or rate limits: Gemini's invalid key
 * and 百炼's Arrearage are 400, as is Anthropic's empty balance; OpenAI's insufficient_quota and Moonshot's suspended account are
 * 429, as are 智谱's 1110 to 1121. 1008 is MiniMax's empty balance, 30001 that of 硅基流动.
 */
const ACCOUNT_CODE =
  /^(?:invalid_api_key|api_key_invalid|arrearage|insufficient_quota|insufficient_balance|exceeded_current_quota_error|billing_not_active|account_deactivated|account_?overdue(?:error)?|accountoverdueerror|billing_error|payment_required|consumer_suspended|failedoperation\.(?:resourcepackexhausted|servicestoparrears|userunautherror)|111[0-3]|1120|1121|1008|30001)$/i
/** These begin messages: further on a message may repeat the sender's text, and a sender must not put a platform to rest. */
const ACCOUNT_MESSAGE =
  /^(?:API key (?:not valid|expired)|Your credit balance is too low|This organization has been disabled|You exceeded your current quota|Your account (?:is not active|[\w<>-]{0,80} ?(?:is|has been) suspended)|Insufficient (?:balance|credits|account balance)|Access denied, please make sure your account is in good standing|Sorry, your account balance is insufficient|Your team [\w-]{0,60} ?has (?:either )?used all available credits|您的?账户(?:已欠费|余额不足|已被锁定|已冻结)|账户余额不足|余额不足)/i

/** The prompt is more than the model can hold. */
const TOO_LONG = new RegExp(
  [
    'context_length_exceeded|exceed_context_size_error|context (?:length|window|size)',
    'prompt is too long|prompt too long|input is too long|too many input tokens|too many tokens',
    'maximum prompt length|prompt[^.]{0,60}longer than|input[^.]{0,40}longer than',
    'input (?:token|length)[^.]{0,40}exceed|token count[^.]{0,30}exceeds|exceeded? model token limit',
    'range of input length|length of prompt_tokens|max_seq_len|max message tokens|TotalTokens',
    '`?inputs`? tokens \\+|reduce the length of the (?:messages|prompt)|exceeds the limit of \\d+ tokens',
    '^1261 |^10907 |Prompt 超长|TextLengthExceeded|上下文长度超|输入长度超|tokens?数量超过上限|the max input (?:tokens|chars)',
  ].join('|'),
  'i',
)
/**
 * A model's window and the tokens of the prompt, where a message tells both: if the prompt fits, only the requested answer does
 * not, which is no reason to shorten a conversation.
 */
const WINDOW = /maximum context length (?:is|of) (\d+)/i
const PROMPT =
  /\((\d+) (?:in the messages|of text input)|(?:has|contains at least|passed) (\d+) input tokens/i

export function isTooLong(words: string): boolean {
  if (!TOO_LONG.test(words)) return false
  const [, window] = WINDOW.exec(words) ?? []
  const [, listed, counted] = PROMPT.exec(words) ?? []
  const prompt = Number(listed ?? counted)
  return !(window && prompt < Number(window))
}

/** Moderation by the platform: OpenRouter reports it with 403. 1026 and 1027 are MiniMax's, 1301 is 智谱's. */
export const CENSORED =
  /moderation|flagged|content_filter|content_policy|content management policy|data_?inspection|sensitive ?content|Content Exists Risk|inappropriate content|safety system|敏感|^(?:1026|1027|1301) /i

/** Tells whether the platform rejects the operator's key or account, which is none of the sender's business. */
export const isAboutAccount = ({ code, type, message }: VendorError): boolean =>
  [code, type].some((word) => ACCOUNT_CODE.test(word ?? '')) || ACCOUNT_MESSAGE.test(message)

/** The status that words or codes stand for in an error that has none, inside a 200. */
const STATUS_WORDS: [RegExp, number][] = [
  [/api_?key|authenticat|^(?:1004|2049)$/i, 401],
  [/rate_?limit|resource_exhausted|throttling|too_?many_?requests|^(?:1002|1039|2056|1302|1303|1305)$/i, 429],
  [/overloaded|^(?:1041|2064)$/i, 529],
  [/billing_error|insufficient_(?:quota|balance)|arrearage|^1008$/i, 402],
  [/permission_|accessdenied/i, 403],
  [/not_?found/i, 404],
  [/request_too_large/i, 413],
  [/^invalid|failed_precondition|badrequest|bad_request|^(?:1026|1027|2013)$/i, 400],
]

export const findMeantStatus = (signals: string[]): number | null =>
  STATUS_WORDS.find(([words]) => signals.some((signal) => words.test(signal)))?.[1] ?? null
