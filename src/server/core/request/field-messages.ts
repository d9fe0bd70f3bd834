import { z } from 'zod'

z.config({ customError: getFieldMessage })

/**
 * Returns the message that a person reads beside a field which its schema refused. It says what is expected and never repeats the
 * value. A message in the schema itself takes precedence.
 */
function getFieldMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? '不能为空' : '格式不正确'
    case 'too_big':
      return formatTooBig(issue.origin, Number(issue.maximum))
    case 'too_small':
      return formatTooSmall(issue.origin, Number(issue.minimum))
    case 'invalid_format':
      return issue.format === 'email' ? '请输入正确的邮箱地址' : '格式不正确'
    case 'invalid_value':
      return `不在可选范围内，可以是：${issue.values.map(String).join('、')}`
    default:
      return '格式不正确'
  }
}

function formatTooBig(origin: string, maximum: number): string {
  if (origin === 'string') return `不能超过 ${maximum} 个字符`
  if (origin === 'array') return `不能超过 ${maximum} 项`
  return `不能大于 ${maximum}`
}

function formatTooSmall(origin: string, minimum: number): string {
  if (origin === 'string') return minimum === 1 ? '不能为空' : `至少 ${minimum} 个字符`
  if (origin === 'array') return `至少 ${minimum} 项`
  return `不能小于 ${minimum}`
}
