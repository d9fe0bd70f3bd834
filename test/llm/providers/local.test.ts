import { describe, expect, test } from 'vitest'
import { streamLocal } from '#server/llm/providers/local/stream.ts'
import { buildDemoAnswer } from '#server/llm/providers/local/demo-answer.ts'
import { createRequest, collectStream } from '../provider-call.ts'

describe('the local model', () => {
  test('streams its whole answer in small pieces and finishes', async () => {
    const { parts, text, error } = await collectStream((take) =>
      streamLocal(createRequest('你好'), new AbortController().signal, take),
    )
    expect(error).toBeNull()
    expect(text).toBe(buildDemoAnswer('你好'))
    expect(parts.length).toBeGreaterThan(50)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  test('says what it is and how to connect a real model', () => {
    for (const question of ['你好', '证明勾股定理', '']) {
      expect(buildDemoAnswer(question)).toMatch(
        /本地演示模型.*DEEPSEEK_API_KEY.*DASHSCOPE_API_KEY.*Ollama.*MODELS_FILE/s,
      )
    }
  })

  test('answers a greeting, and admits that it cannot answer a question', () => {
    expect(buildDemoAnswer('你好呀')).toMatch(/^你好！/)
    expect(buildDemoAnswer('证明勾股定理')).toMatch(/> 证明勾股定理\n\n不过我无法真正回答它/)
  })

  test('repeats a question shortened, in one line and without markup', () => {
    const answer = buildDemoAnswer(`![x](http://evil/)\n<b> ${'长'.repeat(500)}`)
    const [quote = ''] = answer.split('\n').filter((line) => line.startsWith('> '))
    expect(quote).toContain('\\!\\[x\\]\\(http://evil/\\) \\<b\\>')
    expect(quote.length).toBeLessThan(100)
    expect(quote.endsWith('……')).toBe(true)
  })

  test('stops when it is told to', async () => {
    const abort = new AbortController()
    let heard = 0
    const stopped = streamLocal(createRequest('你好'), abort.signal, (part) => {
      heard += part.type === 'delta' ? 1 : 0
      if (heard === 3) abort.abort(new Error('stopped'))
    })
    await expect(stopped).rejects.toThrow('stopped')
    expect(heard).toBe(3)
  })
})
