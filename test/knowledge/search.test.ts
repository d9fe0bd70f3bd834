import { expect, test } from 'vitest'
import { createId } from '#server/core/ids.ts'
import { scoreChunks } from '#server/documents/knowledge/knowledge.ts'
import { useKnowledge } from './use-knowledge.ts'

const world = useKnowledge()

const filler = (count: number, about = '仓库'): string[] =>
  Array.from(
    { length: count },
    (_, n) =>
      `${about}第${n + 1}条：日常管理由值班人员负责，每周检查一次并登记，${'发现问题及时上报。'.repeat(20)}`,
  )
const findFirst = async (documents: string[], question: string): Promise<string> =>
  (await world.search(documents, question))[0]?.text ?? ''

test('the passage that answers a question comes first, with its place, its title and how sure that is', async () => {
  const id = await world.add('员工手册.docx', [
    ...filler(30),
    {
      text: '正式员工每年享有十五天带薪年假，入职满一年后开始计算。',
      place: { page: 7, heading: ['休假', '年假'] },
    },
  ])
  const [first, ...others] = await world.search([id], '年假一共有几天？')
  expect(first).toMatchObject({
    document_id: id,
    chunk: 31,
    piece: 31,
    place: { page: 7, heading: ['休假', '年假'] },
    title: '员工手册.docx › 休假 › 年假',
  })
  expect(first!.text).toContain('十五天')
  expect(first!.confidence).toBeGreaterThan(others[0]?.confidence ?? 0)
  expect(first!.confidence).toBeLessThanOrEqual(1)
  const refs = [
    { document_id: id, chunk: 31 },
    { document_id: id, chunk: 99 },
    { document_id: createId(), chunk: 1 },
    { document_id: id, chunk: 2 },
  ]
  const read = await world.knowledge.readPassages(refs)
  expect(read.map(({ chunk }) => chunk)).toEqual([31, 2])
  expect(read[0]).toMatchObject({ text: first!.text, title: first!.title })
})

test('only the documents that were named are searched', async () => {
  const mine = await world.add('甲.md', ['甲方的密钥轮换周期是九十天。'])
  const other = await world.add('乙.md', ['乙方的密钥轮换周期是三十天。'])
  const found = await world.search([mine], '密钥轮换周期是多少天？')
  expect(found.map(({ document_id }) => document_id)).toEqual([mine])
  expect(await world.search([], '密钥轮换周期是多少天？')).toEqual([])
  expect((await world.search([mine, other], '乙方的密钥轮换周期')).map((one) => one.document_id)[0]).toBe(
    other,
  )
  expect(await world.search([createId()], '密钥轮换周期是多少天？')).toEqual([])
})

test('where nothing has to do with the question, nothing is found', async () => {
  const id = await world.add('仓库.md', filler(40))
  expect(await world.search([id], '贝多芬的第九交响曲是哪一年首演的？')).toEqual([])
  expect(await world.search([id], 'who composed the moonlight sonata')).toEqual([])
  expect(await world.search([id], '？？')).toEqual([])
})

test('traditional characters, full-width forms and capital letters are found as the usual ones', async () => {
  const id = await world.add('規格.md', [...filler(20), '資料庫採用ＰｏｓｔｇｒｅＳＱＬ，備份保留三個月。'])
  expect(await findFirst([id], '数据库备份保留多久')).toContain('三個月')
  expect(await findFirst([id], 'postgresql')).toContain('備份')
  const simplified = await world.add('规格.md', [...filler(20), '数据库采用 PostgreSQL，备份保留三个月。'])
  expect(await findFirst([simplified], '資料庫備份保留多久')).toContain('三个月')
})

test('English words are found whatever their ending, and numbers however they are grouped', async () => {
  const id = await world.add('manual.md', [
    ...filler(20, 'Warehouse'),
    'The committee reviews submitted applications. The fee is 12,500 yuan, the deposit 1,234.50; see snake_case_name and v2.1.',
  ])
  expect(await findFirst([id], 'who is reviewing an application')).toContain('committee')
  expect(await findFirst([id], '12500')).toContain('committee')
  expect(await findFirst([id], '1234.5')).toContain('committee')
  expect(await findFirst([id], 'snake case')).toContain('committee')
})

test('a word that a segmenter cuts otherwise is found by its pairs of characters', async () => {
  const id = await world.add('诗.md', [...filler(20), '为有源头活水来，半亩方塘一鉴开。'])
  expect(await findFirst([id], '活水')).toContain('源头')
  expect(await findFirst([id], '亩方塘')).toContain('源头')
})

test('a heading is part of what its passages say', async () => {
  const under = (heading: string[], text: string) => ({ text, place: { heading } })
  const id = await world.add('差旅.md', [
    under(['住宿标准', '北京'], '每晚不超过六百元，凭发票报销。'),
    under(['住宿标准', '成都'], '每晚不超过四百元，凭发票报销。'),
    under(['交通标准', '成都'], '高铁二等座，凭票报销。'),
  ])
  expect(await findFirst([id], '成都住宿标准是多少')).toContain('四百')
  expect(await findFirst([id], '北京住宿标准是多少')).toContain('六百')
})

test('each part of a long table has its header and the line above it', async () => {
  const rows = Array.from({ length: 200 }, (_, n) => `| 城市${n} | ${1000 + n} | ${n % 7} |`)
  const table = ['表 3 各城市销量', '', '| 城市 | 销量 | 门店数 |', '| --- | --- | --- |', ...rows].join('\n')
  const id = await world.add('销量.md', [`## 附表\n\n${table}`])
  const { chunks } = (await world.getState(id))!
  expect(chunks).toBeGreaterThan(3)
  for (let n = 1; n <= chunks; n++) {
    const [{ text } = { text: '' }] = await world.knowledge.readPassages([{ document_id: id, chunk: n }])
    expect(text).toContain('表 3 各城市销量\n\n| 城市 | 销量 | 门店数 |\n| --- | --- | --- |\n| 城市')
  }
  expect(await findFirst([id], '城市157的销量')).toContain('| 城市157 | 1157 |')
})

test('a passage that only repeats another one is left out; one with another number is not', async () => {
  const text = '实习生每天补贴两百元，按月发放，与工资一起打入工资卡，离职当月按实际出勤天数计算。'
  const id = await world.add('补贴.md', [
    { text, place: { page: 1 } },
    { text: `${text} `, place: { page: 2 } },
    { text: text.replace('两百元', '180 元'), place: { page: 3 } },
  ])
  const found = await world.search([id], '实习生每天补贴多少')
  expect(found.map(({ place }) => place.page)).toHaveLength(2)
  expect(found.map(({ place }) => place.page)).toEqual(expect.arrayContaining([1, 3]))
})

test('passages fit into what there is room for, the best first', async () => {
  const id = await world.add('长.md', filler(40))
  const found = await world.search([id], '日常管理由谁负责', { max_chars: 1_000 })
  expect(found.length).toBeGreaterThan(1)
  expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(1_000)
})

test('a question leans on those before it, and on what the last answer was made from', async () => {
  const id = await world.add('产品.md', [
    ...filler(20),
    { text: '蓝鲸一号的保修期为三年，电池除外。', place: { page: 1 } },
    { text: '白鹭二号的保修期为两年，电池除外。', place: { page: 2 } },
  ])
  const [first] = await world.search([id], '保修期多久？', { earlier: ['白鹭二号怎么充电？'] })
  expect(first!.place.page).toBe(2)
  const [chosen] = await world.search([id], '保修期多久？', { recent: [{ document_id: id, chunk: 21 }] })
  const [unchosen] = await world.search([id], '保修期多久？', { recent: [{ document_id: id, chunk: 22 }] })
  expect([chosen!.chunk, unchosen!.chunk]).toEqual([21, 22])
})

test('who leaves is no longer searched for', async () => {
  const id = await world.add('停.md', ['随便写点内容。'])
  await expect(world.search([id], '内容', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow(
    'left',
  )
})

test.each([
  ['10^6 个', '每升水样有 10⁶ 个菌落。'],
  ['10⁶ 个', '每升水样有 10⁶ 个菌落。'],
  ['10**6 个', '每升水样有 10⁶ 个菌落。'],
  ['10<sup>6</sup> 个', '每升水样有 10⁶ 个菌落。'],
  ['106 个', '每升水样有 106 个孢子。'],
  ['m² 是多少', '塘面有 600 m²。'],
  ['m^2 是多少', '塘面有 600 m²。'],
  ['m2 是多少', '塘面有 600 m²。'],
  ['CO2 的含量', '测得 CO₂ 的含量。'],
  ['2.1 讲什么', '2.1 目的'],
  ['第二章讲什么', '第二章 目的'],
])('a question for “%s” finds that figure', async (question, text) => {
  const id = await world.add(
    '水样.md',
    [
      '每升水样有 106 个孢子。',
      '每升水样有 10⁶ 个菌落。',
      '塘面有 600 m²。',
      '测得 CO₂ 的含量。',
      '2.10 附则',
      '2.1 目的',
      '第十二章 附则',
      '第二章 目的',
    ].map((one, at) => ({ text: one, place: { page: at + 1 } })),
  )
  expect(await findFirst([id], question)).toBe(text)
})

test('an exponent is found in a document without an index as in one that has an index', async () => {
  const texts = ['菌落有 106 个', '菌落有 10⁶ 个', '塘面有 5 m²', '塘面有 52 米']
  const chunks = texts.map((text, at) => ({ piece: at + 1, place: {}, text }))
  for (const [question, at] of [
    ['10^6 个？', 1],
    ['106 个？', 0],
    ['m2？', 2],
    ['m²？', 2],
  ] as const) {
    const scores = await scoreChunks(question, chunks)
    expect(scores.indexOf(Math.max(...scores))).toBe(at)
  }
})
