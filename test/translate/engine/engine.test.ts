import { describe, expect, test } from 'vitest'
import { splitIntoBatches } from '#server/assistants/translate/engine/batches.ts'
import { checkTranslation, includesTerm } from '#server/assistants/translate/engine/checks.ts'
import { buildRequest, formatTexts, parseResponse } from '#server/assistants/translate/engine/request.ts'

describe('texts', () => {
  const texts = Array.from({ length: 100 }, (_, index) => ({
    n: index + 1,
    text: '字'.repeat((index % 7) * 100),
  }))

  test('go to the model in their order, each once, and no call is larger than it may be', () => {
    const batches = splitIntoBatches(texts, (text) => text.length)
    expect(batches.flat()).toEqual(texts)
    for (const batch of batches)
      expect(batch.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(1_200)
  })

  test('that are short stand together in calls of forty', () => {
    const batches = splitIntoBatches(texts, () => 1)
    expect(batches.map(({ length }) => length)).toEqual([40, 40, 20])
  })

  test('that are longer than a call should be stand alone', () => {
    const batches = splitIntoBatches(
      [
        { n: 1, text: '短' },
        { n: 2, text: '长' },
        { n: 3, text: '短' },
      ],
      (text) => (text === '长' ? 5_000 : 1),
    )
    expect(batches.map((batch) => batch.map(({ n }) => n))).toEqual([[1], [2], [3]])
  })
})

describe('a request', () => {
  const texts = [
    { n: 7, text: '第一<1>行</1>\n"引号"' },
    { n: 9, text: '第二行' },
  ]
  const [rules, data] = buildRequest(texts, {
    target: '英语',
    tone: '正式',
    terms: [{ term: '问渠', translation: 'Wenqu' }],
  })

  test('is data alone behind the rules, a text a line', () => {
    expect(data).toEqual({
      role: 'user',
      content: '[\n{"id":7,"text":"第一<1>行</1>\\n\\"引号\\""},\n{"id":9,"text":"第二行"}\n]',
    })
    expect(rules).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/英语[^]*正式[^]*问渠 → Wenqu/),
    })
  })

  test.each([
    ['as it was', formatTexts(texts)],
    ['in a fence, with words around', `好的：\n\`\`\`json\n${formatTexts(texts)}\n\`\`\`\n完成。`],
    ['on one line', JSON.stringify(texts.map(({ n, text }) => ({ id: String(n), text })))],
    ['without brackets', texts.map(({ n, text }) => JSON.stringify({ id: n, text })).join('\n')],
  ])('is read back %s', (_, answer) => {
    expect([...parseResponse(answer)]).toEqual(texts.map(({ n, text }) => [n, text]))
  })

  test('of which the answer broke off has the texts that are whole', () => {
    expect([...parseResponse(formatTexts(texts).slice(0, -8))]).toEqual([[7, texts[0]!.text]])
    expect(parseResponse('抱歉，我不能翻译。').size).toBe(0)
    expect(parseResponse('[1, null, {"id":1}, {"id":2,"text":3}]').size).toBe(0)
  })
})

describe('a translation', () => {
  const check = (
    source: string,
    translation: string,
    targetLang = 'zh-CN',
    terms: { term: string; translation: string }[] = [],
  ) => checkTranslation(source, translation, { target_lang: targetLang, terms })

  test.each([
    ['Revenue grew by 12.5% to $1,200.50 in 2024.', '2024 年收入增长 12.5%，达到 1200.5 美元。', 'zh-CN'],
    ['The city has 30 million people.', '这座城市有 3000 万人。', 'zh-CN'],
    ['It takes twelve months.', '需要 12 个月。', 'zh-CN'],
    [
      '会议在 3 月 5 日举行，共 12 人参加。',
      'The meeting takes place on March 5 with twelve participants.',
      'en',
    ],
    ['Click <1>here</1> for <2/> more', '点<1>此处</1>看更多<2/>', 'zh-CN'],
    [
      'See https://example.com/a?b=1 or write to a@b.com.',
      '参见 https://example.com/a?b=1，或写信给 a@b.com。',
      'zh-CN',
    ],
    ['NASA', 'NASA', 'zh-CN'],
    ['已经是中文的一句话，不需要翻译。', '已经是中文的一句话，不需要翻译。', 'zh-CN'],
    ['Ordnung muss sein, sagte er.', 'There must be order, he said.', 'en'],
    ['50% of users agreed.', "Kullanıcıların %50'si kabul etti.", 'tr'],
    ['25% of users agreed.', 'وافق %25 من المستخدمين.', 'ar'],
  ])('of “%s” that is right has no problem', (source, translation, targetLang) => {
    expect(check(source, translation, targetLang)).toEqual([])
  })

  test.each([
    ['Hello there', ' ', ['missing']],
    [
      'This sentence was not translated at all.',
      'This sentence was not translated at all.',
      ['untranslated'],
    ],
    ['This sentence was not translated at all.', 'That sentence has been left in English.', ['untranslated']],
    ['Click <1>here</1>', '点此处', ['tags']],
    ['Write {name} and %d here', '在此写 {名字} 与 %d', ['placeholders']],
    ['Write %d here', '在此写 ％d', []],
    ['Write here', '在此写 {x}', ['placeholders']],
    ['It costs 250 yuan.', '售价 260 元。', ['numbers']],
    ['There are 10⁶ of them.', '有 106 个。', ['numbers']],
    ['It costs 1234 yuan.', '售价一千多元。', ['numbers']],
    ['See https://example.com/a', '见 https://example.com/b', ['links']],
    [
      'x'
        .repeat(20)
        .concat(' long text of many words that says a great deal about a great many things indeed'),
      '长',
      ['length'],
    ],
  ])('of “%s” as “%s” has them named', (source, translation, problems) => {
    expect(check(source, translation)).toEqual(problems)
  })

  test('has the placeholders of its source where their tags are', () => {
    const options = { target_lang: 'zh-CN', terms: [], placeholders: { 1: ['{name}'] as [string] } }
    expect(checkTranslation('Click <1/> <2/>', '<1/>点<2/>', options)).toEqual([])
    expect(checkTranslation('Click <1/> <2/>', '点<2/>', options)).toEqual(['placeholders', 'tags'])
    expect(checkTranslation('Click <1/> <2/>', '<1/>点', options)).toEqual(['tags'])
  })

  test('uses the terms that its source has', () => {
    const terms = [{ term: '问渠', translation: 'Wenqu' }]
    expect(check('问渠是一个平台。', 'Wenqu is a platform.', 'en', terms)).toEqual([])
    expect(check('问渠是一个平台。', 'Ask the Canal is a platform.', 'en', terms)).toEqual(['terms'])
    expect(check('这是一个平台。', 'This is a platform.', 'en', terms)).toEqual([])
  })

  test('has a term as a whole word, in any case', () => {
    expect(includesTerm('The API is here', 'api')).toBe(true)
    expect(includesTerm('The apiary is here', 'api')).toBe(false)
    expect(includesTerm('用API接口', 'API')).toBe(true)
    expect(includesTerm('我的问渠平台', '问渠')).toBe(true)
    expect(includesTerm('C++ 代码', 'C++')).toBe(true)
  })
})
