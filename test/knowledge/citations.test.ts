import { describe, expect, test } from 'vitest'
import { reviewAnswer } from '#server/documents/knowledge/citations.ts'

const SOURCES = [
  {
    n: 1,
    title: '方塘手册 › 水位',
    text: '水文站每天早上八点测量水位，正常水位是 3.2 米，超过 4.5 米就要开闸放水。',
  },
  { n: 2, title: '方塘手册 › 鱼苗', text: '每年三月投放 1,200 尾草鱼苗，由张师傅负责，禁渔期是四月到六月。' },
  {
    n: 3,
    title: 'Boats',
    text: 'The Lotus pavilion rents small boats for 30 yuan an hour; Captain Miller keeps the keys.',
  },
  { n: 4, title: '一个网页', text: null },
  {
    n: 5,
    title: '第一章 水样',
    text: '每升水样约有 10⁶ 个菌落，粒径 1.5×10⁻³ 米，塘面 600 m²，检出 15¹ 种。',
  },
]
const review = (text: string, options = {}) => reviewAnswer(text, SOURCES, options)

describe('an answer', () => {
  test.each([
    ['in the words of its source', '正常水位是 3.2 米 [1]。'],
    ['in other words', '水位的正常值为 3.2 米，高于 4.5 米需要开闸放水[1]。'],
    ['with the number behind the stop', '水文站每天早上八点测量水位。[1]'],
    ['with several numbers in one pair of brackets', '正常水位是 3.2 米，每年三月投放草鱼苗 [1, 2]。'],
    ['with a range of numbers behind the stop', '正常水位是 3.2 米，每年三月投放草鱼苗。[1-2]'],
    ['with Chinese brackets', '正常水位是 3.2 米【1】。四月到六月是禁渔期［2］。'],
    ['of several sources', '正常水位是 3.2 米，每年三月投放草鱼苗 [1][2]。'],
    ['with numbers that the source writes otherwise', '每年 3 月投放 1200 尾草鱼苗 [2]。'],
    ['with zeros that its source leaves out', '正常水位是 3.20 米，每年 3 月投放 1200.0 尾草鱼苗 [1][2]。'],
    ['with one number for a paragraph', '水文站每天早上八点测量水位。正常水位是 3.2 米 [1]。'],
    ['as a list', '要点如下：\n\n1. 正常水位是 3.2 米 [1]\n2. 四月到六月是禁渔期 [2]'],
    ['in another language than the source', '小船每小时租金 30 元 [3]。'],
    ['of a web page that nobody here has read', '今天的水位是 5.1 米 [4]。'],
    ['that refuses', '在现有知识库中没有找到答案。'],
    ['that greets and asks', '你好，我是渠水的助手。请问您想知道什么？'],
    ['under a heading', '## 关于正常水位的说明\n\n正常水位是 3.2 米 [1]。'],
    ['with a number at its beginning', '3.2 米是正常水位 [1]。'],
    ['with an exponent as a superscript', '每升水样约有 10⁶ 个菌落 [5]。'],
    ['with an exponent behind a caret', '每升水样约有 10^6 个菌落，粒径 1.5×10^-3 米 [5]。'],
    ['with an exponent in a formula', '每升水样约有 $10^{6}$ 个菌落 [5]。'],
    ['with a unit without its superscript', '塘面 600 m2，水样约有 10<sup>6</sup> 个菌落 [5]。'],
    ['with a number that has the mark of a note', '水样中检出 15 种菌落 [5]。'],
    ['with the number of a chapter', '第一章说每升水样约有 10⁶ 个菌落 [5]。'],
    ['with code of tildes', '- 如下\n\n  ~~~\n  # 谁也没有说过这些话。\n  ~~~\n\n正常水位是 3.2 米 [1]。'],
    ['with code', '```\n谁也没有说过这些话。\n```\n\n正常水位是 3.2 米 [1]。'],
  ])('%s is supported', (_, text) => {
    expect(review(text)).toEqual({ invalid: [], unsupported: [] })
  })

  test.each([
    ['that cites nothing', '正常水位是 3.2 米。', ['正常水位是 3.2 米。']],
    ['that cites the wrong source', '正常水位是 3.2 米 [2]。', ['正常水位是 3.2 米 [2]。']],
    ['with another number', '正常水位是 3.8 米 [1]。', ['正常水位是 3.8 米 [1]。']],
    ['with a power as a number', '每升水样约有 106 个菌落 [5]。', ['每升水样约有 106 个菌落 [5]。']],
    ['with another exponent', '每升水样约有 10⁸ 个菌落 [5]。', ['每升水样约有 10⁸ 个菌落 [5]。']],
    ['with the base alone', '每升水样约有 10 个菌落 [5]。', ['每升水样约有 10 个菌落 [5]。']],
    ['about something else', '方塘的门票在村口的小卖部购买 [1]。', ['方塘的门票在村口的小卖部购买 [1]。']],
    [
      'with a name that is not there',
      'The boats are rented by Captain Brown [3].',
      ['The boats are rented by Captain Brown [3].'],
    ],
    [
      'with a title that is not there',
      '测量水位的办法见《水经注》 [1]。',
      ['测量水位的办法见《水经注》 [1]。'],
    ],
    ['in one sentence of two', '正常水位是 3.2 米 [1]。鱼苗都是李四买来的。', ['鱼苗都是李四买来的。']],
  ])('%s is not', (_, text, unsupported) => {
    expect(review(text)).toEqual({ invalid: [], unsupported })
  })

  test('with numbers that no source has names them', () => {
    const { invalid } = review('正常水位是 3.2 米 [1][12]，禁渔期是四月到六月 [2][7]。')
    expect(invalid).toEqual([7, 12])
  })

  test('that was not asked to cite is held against all sources', () => {
    const text = '正常水位是 3.2 米。鱼苗由王师傅在湖里放生。'
    expect(reviewAnswer(text, SOURCES.slice(0, 3), { cites: false })).toEqual({
      invalid: [],
      unsupported: ['鱼苗由王师傅在湖里放生。'],
    })
  })

  test('from no source has nothing that is supported', () => {
    expect(reviewAnswer('爱因斯坦于 1921 年获得诺贝尔奖。', [])).toEqual({
      invalid: [],
      unsupported: ['爱因斯坦于 1921 年获得诺贝尔奖。'],
    })
  })

  test('however long and strange is read in time', () => {
    for (const text of [
      '['.repeat(50_000),
      '1'.repeat(50_000),
      '“'.repeat(50_000),
      '甲。'.repeat(20_000),
      'A'.repeat(50_000),
    ])
      expect(review(text).invalid).toEqual([])
  })
})
