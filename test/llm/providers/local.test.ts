import { describe, expect, test } from 'vitest'
import { buildLocalAnswer } from '#server/llm/providers/local/request.ts'
import { PROVIDERS } from '#server/llm/providers/providers.ts'
import { callProvider, createRequest, createTarget } from '../provider-call.ts'

const target = createTarget('')
const answer = (question: string): string => buildLocalAnswer(createRequest(question))

describe('the local model', () => {
  test('streams its whole answer in small pieces and finishes', async () => {
    const { parts, text, error } = await callProvider(
      target,
      '你好',
      new AbortController().signal,
      PROVIDERS.local,
    )
    expect(error).toBeNull()
    expect(text).toBe(answer('你好'))
    expect(parts.length).toBeGreaterThan(50)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  test('says what it is and how to connect a real model', () => {
    for (const question of ['你好', '证明勾股定理', '']) {
      expect(answer(question)).toMatch(
        /本地演示模型.*DEEPSEEK_API_KEY.*DASHSCOPE_API_KEY.*Ollama.*MODELS_FILE/s,
      )
    }
  })

  test('answers a greeting, and admits that it cannot answer a question', () => {
    expect(answer('你好呀')).toMatch(/^你好！/)
    expect(answer('证明勾股定理')).toMatch(/> 证明勾股定理\n\n不过我无法真正回答它/)
  })

  test('repeats a question shortened, in one line and without markup', () => {
    const text = answer(`![x](http://evil/)\n<b> ${'长'.repeat(500)}`)
    const [quote = ''] = text.split('\n').filter((line) => line.startsWith('> '))
    expect(quote).toContain('\\!\\[x\\]\\(http://evil/\\) \\<b\\>')
    expect(quote.length).toBeLessThan(100)
    expect(quote.endsWith('……')).toBe(true)
  })

  test('quotes the sentences of given passages that have most to do with the question, each with its number', () => {
    const passages =
      '[1] 诗（第 1 页）\n半亩方塘一鉴开。天光云影共徘徊。\n\n[2] 诗（第 2 页）\n问渠那得清如许？为有源头活水来。'
    const text = answer(`以下是资料。\n\n${passages}\n\n问题：源头活水从哪里来？`)
    expect(text).toMatch(/^资料中与问题最接近的原文：\n\n- 为有源头活水来。 \[2\]\n/)
    expect(text).toContain('本地演示模型')
    expect(text).not.toContain('半亩方塘')
    for (const question of ['GDP？', '方塘水库的总库容是多少立方米？'])
      expect(answer(`以下是资料。\n\n${passages}\n\n问题：${question}`)).toMatch(/^在给出的资料中没有找到/)
    const none = '（知识库里没有找到与问题有关的知识卡片。）'
    expect(answer(`${none}\n\n问题：源头活水从哪里来？`)).toMatch(/^在给出的资料中没有找到/)
  })

  test('quotes a figure with its exponent, and a sentence with its number', () => {
    const passages = '[1] 水质\n菌落不超过 106 个。\n\n[2] 水样\n1. 菌落约有 10⁶ 个。'
    for (const asked of ['10^6', '10⁶', '10<sup>6</sup>', '$10^{6}$'])
      expect(answer(`资料。\n\n${passages}\n\n问题：${asked} 个？`)).toContain(
        '\n\n- 1. 菌落约有 10⁶ 个。 [2]\n\n',
      )
    expect(answer(`资料。\n\n${passages}\n\n问题：106 个？`)).toContain('\n\n- 菌落不超过 106 个。 [1]\n\n')
  })

  test('stops when its signal aborts', async () => {
    const abort = new AbortController()
    let deltas = 0
    const stopped = PROVIDERS.local(target, createRequest('你好'), abort.signal, (part) => {
      deltas += part.type === 'delta' ? 1 : 0
      if (deltas === 3) abort.abort(new Error('stopped'))
    })
    await expect(stopped).rejects.toThrow('stopped')
    expect(deltas).toBe(3)
  })
})
