import { describe, expect, test } from 'vitest'
import { cutPassage } from '#contract/documents/passages.ts'
import { splitIntoChunks } from '#server/documents/knowledge/chunks.ts'
import { findFences } from '#server/documents/knowledge/fences.ts'
import { locateChunk } from '#server/documents/knowledge/passage.ts'

const cut = (text: string): string[] =>
  splitIntoChunks([{ n: 1, text, place: {} }]).map((chunk) => chunk.text)

describe('a block of code', () => {
  test.each([
    ['of backticks', 'a\n```js\n# b\n```\nc', ['```js\n# b\n```']],
    ['of tildes, with backticks in its first line', '~~~ a`b\n```\n~~~', ['~~~ a`b\n```\n~~~']],
    ['with a longer end', '```\na\n``\n~~~\n`````\nb', ['```\na\n``\n~~~\n`````']],
    ['with a fence that has words behind it', '````\n```\n```` b\n````', ['````\n```\n```` b\n````']],
    ['indented by three', '   ```\n# a\n  ```\nb', ['   ```\n# a\n  ```']],
    ['that never ends', 'a\n```\n# b\n\nc', ['```\n# b\n\nc']],
    ['in an item of a list', '- ```\n  # a\n  ```\n- b', ['- ```\n  # a\n  ```']],
    [
      'in an item of an item',
      '1. a\n   - b\n\n     ```\n     # c\n\n     d\n     ```\n2. e',
      ['     ```\n     # c\n\n     d\n     ```'],
    ],
    ['that ends with its list', '- a\n  ```\n  # b\n\nc\n```\nd', ['  ```\n  # b\n', '```\nd']],
    ['that ends with its quotation', '> ```\n> # a\n\n# b', ['> ```\n> # a']],
    ['in a quotation in a list', '* > ~~~\n  > # a\n  > ~~~\n  > b', ['* > ~~~\n  > # a\n  > ~~~']],
    ['behind a tab', '-\ta\n\n\t```\n\t# b\n\t```', ['\t```\n\t# b\n\t```']],
  ])('%s is one', (_, text, blocks) => {
    const lines = text.split('\n')
    expect(findFences(lines).map(({ from, end }) => lines.slice(from, end).join('\n'))).toEqual(blocks)
  })

  test.each([
    ['code that is indented by four', '    ```\n# a\n    ```'],
    ['code within a line', '```a``` b'],
    ['two marks', '``\n# a\n``'],
  ])('is not %s', (_, text) => {
    expect(findFences(text.split('\n'))).toEqual([])
  })

  test('is cut in no place that looks like the end of something, and stays with its heading', () => {
    const code =
      '~~~python\n# 清理数据\nimport shutil\n## 二级注释\n\n| 甲 | 乙 |\n| --- | --- |\n1.1 目的\nshutil.rmtree("/data")\n~~~'
    expect(cut(`# 部署\n\n## 卸载\n\n${code}\n\n卸载不可恢复。`)).toEqual([
      `# 部署\n\n## 卸载\n\n${code}\n\n卸载不可恢复。`,
    ])
    const long = `~~~\n${'rm -r /data # 清理\n\n'.repeat(60)}~~~`
    expect(cut(`# 卸载\n\n${'先停止服务。'.repeat(40)}\n\n执行：\n\n${long}`)[1]).toBe(`执行：\n\n${long}`)
  })

  test.each([
    ['```sh -e', '```', ''],
    ['~~~~', '~~~~', ''],
    ['> ```py', '> ```', '> '],
    ['- ```py', '  ```', '  '],
  ])('of more than a chunk is cut between its lines, each part within %s', (opening, closing, prefix) => {
    const lines = Array.from({ length: 300 }, (_, n) => `${prefix}# step ${n}\n${prefix}  run --number ${n}`)
    const piece = { n: 1, text: `# 步骤\n\n${opening}\n${lines.join('\n')}\n${closing}\n\n完。`, place: {} }
    const chunks = splitIntoChunks([piece])
    const parts = chunks.filter(({ text }) => text.includes('run'))
    expect(parts.length).toBeGreaterThan(3)
    for (const { text } of parts)
      expect(text.replace('# 步骤\n\n', '')).toMatch(
        /^(?:> |- )?(?:```(?:sh -e|py)|~~~~)\n[^]*\n\s*(?:> )?(?:```|~~~~)$/,
      )
    const spans = chunks.map((chunk) => locateChunk(chunk, [piece]))
    const shown = spans.map((span) => cutPassage([piece], span)[0]!.text)
    expect(shown.join('\n').replace(/\s+/g, '')).toBe(piece.text.replace(/\s+/g, ''))
  })

  test('with a long end is cut into parts that do not have it', () => {
    const text = `\`\`\`\n${'a\n'.repeat(3_000)}${'`'.repeat(2_000)}`
    const parts = cut(text)
    expect(parts.join('').length).toBeLessThan(text.length * 1.1)
    for (const part of parts) expect(part).toMatch(/^```\n(?:a\n)+```$/)
    const piece = { n: 1, text, place: {} }
    for (const chunk of splitIntoChunks([piece])) expect(locateChunk(chunk, [piece]).chars).not.toBe(null)
  })

  test('right below the caption of a table is no part of that', () => {
    const text = '| 甲 |\n| --- |\n| 1 |\n\n表 1 甲\n```\n# 乙\n```'
    expect(cut(text).at(-1)).toBe('```\n# 乙\n```')
  })

  test('that never ends is closed, so that what follows is no code', () => {
    const pieces = ['1. 装\n   ~~~sh\n   make\n\n完。', '后来。'].map((text, at) => ({
      n: at + 1,
      text,
      place: {},
    }))
    const [chunk] = splitIntoChunks(pieces)
    expect(chunk!.text).toBe('1. 装\n\n~~~sh\nmake\n\n~~~\n\n完。\n\n后来。')
  })
})

describe('a table that is cut', () => {
  const rows = Array.from({ length: 60 }, (_, n) => `| 第 ${n} 渠 | 水深 ${n * 7} 厘米，由第 ${n} 组看守 |`)
  const table = `| 渠 | 水深 |\n| --- | --- |\n${rows.join('\n')}`

  test.each([
    ['表 1 各渠的水深', `表 1 各渠的水深\n\n${table}\n\n完。`],
    ['Table 1. Depths', `${table}\n\nTable 1. Depths\n\n完。`],
    ['表2 水深', `文前。\n\n${table}\n表2 水深`],
    [`**表 1** ${'各渠的水深，'.repeat(20)}`, `**表 1** ${'各渠的水深，'.repeat(20)}\n${table}`],
  ])('has its caption %s in each part', (caption, text) => {
    const parts = cut(text).filter((part) => part.includes('看守'))
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) expect(part).toContain(`${caption}\n\n| 渠 | 水深 |\n| --- | --- |\n| 第`)
    expect(parts.flatMap((part) => part.match(/^\| 第.*$/gm))).toEqual(rows)
  })

  test('leaves the caption of the next table to that', () => {
    const parts = cut(`${table}\n\n表 2 鱼苗\n\n| 月 | 尾 |\n| --- | --- |\n| 三 | 1200 |`)
    expect(parts.filter((part) => part.includes('表 2'))).toEqual([
      '表 2 鱼苗\n\n| 月 | 尾 |\n| --- | --- |\n| 三 | 1200 |',
    ])
  })

  test('has its header before each part of a row that is long', () => {
    const parts = cut(`| 渠 | 说明 |\n| --- | --- |\n| 甲 | ${'水从山里来。'.repeat(300)} |`)
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) expect(part).toMatch(/^\| 渠 \| 说明 \|\n\| --- \| --- \|\n/)
  })
})

describe('a heading', () => {
  const filler = (text: string): string => `${text}${'每周检查一次并登记。'.repeat(30)}`

  test.each([
    '# 第一章 总则',
    '第一章 总则',
    '1.1 目的',
    '2.10.3 Purpose of it',
    '一、总则',
    '（一）范围',
    'Chapter 2 Rules',
    '## ① 总则',
  ])('%s stays with what follows it, and with its number', (heading) => {
    const parts = cut(`${filler('先说。')}\n\n前言。\n\n${heading}\n\n${filler('本条例')}`)
    expect(parts.find((part) => part.includes('本条例'))).toMatch(
      new RegExp(`^${RegExp.escape(heading)}\n\n本条例`),
    )
  })

  test.each(['1.', 'I.', 'A.', '1.1.'])(
    'that is part of a long text is not cut behind its number %s',
    (number) => {
      for (let length = 1; length < 120; length++) {
        const lines = [
          '水'.repeat(length),
          ...Array.from({ length: 11 }, () => `${number} 目的，${'田'.repeat(95)}`),
        ]
        const text = lines.join('\n')
        for (const part of cut(text)) expect(part).not.toMatch(new RegExp(`(^|\n)${RegExp.escape(number)}$`))
      }
    },
  )
})
