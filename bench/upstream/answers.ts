import type { Script } from '#test/world/upstream/upstream.ts'

const CODE = `快速排序的要点是选一个基准，把数组分成两半，再分别排序：

\`\`\`python
def quick_sort(items: list[int]) -> list[int]:
    if len(items) <= 1:
        return items
    pivot, *rest = items
    smaller = [x for x in rest if x < pivot]
    larger = [x for x in rest if x >= pivot]
    return [*quick_sort(smaller), pivot, *quick_sort(larger)]


print(quick_sort([3, 1, 4, 1, 5, 9, 2, 6]))  # [1, 1, 2, 3, 4, 5, 6, 9]
\`\`\`

同样的思路写成 TypeScript：

\`\`\`ts
const quickSort = ([pivot, ...rest]: number[]): number[] =>
  pivot === undefined
    ? []
    : [...quickSort(rest.filter((x) => x < pivot)), pivot, ...quickSort(rest.filter((x) => x >= pivot))]
\`\`\`

平均时间复杂度为 $O(n \\log n)$，最坏情况为 $O(n^2)$。
`

const TABLE = `几种常用排序算法的比较：

| 算法 | 平均时间 | 最坏时间 | 空间 | 稳定 |
| :--- | :---: | :---: | :---: | :---: |
| 快速排序 | $O(n\\log n)$ | $O(n^2)$ | $O(\\log n)$ | 否 |
| 归并排序 | $O(n\\log n)$ | $O(n\\log n)$ | $O(n)$ | 是 |
| 堆排序 | $O(n\\log n)$ | $O(n\\log n)$ | $O(1)$ | 否 |
| 插入排序 | $O(n^2)$ | $O(n^2)$ | $O(1)$ | 是 |

1. 数据量小，或者接近有序：**插入排序**；
2. 需要稳定：**归并排序**；
3. 内存紧张：**堆排序**；
4. 其余情况：**快速排序**。
`

const LATEX = `设 $f$ 在 $[a, b]$ 上连续，$F$ 是它的一个原函数，则

$$
\\int_a^b f(x)\\,\\mathrm{d}x = F(b) - F(a).
$$

高斯积分是一个著名的例子：

\\[
\\int_{-\\infty}^{+\\infty} e^{-x^2}\\,\\mathrm{d}x = \\sqrt{\\pi}
\\]

**证明。** 记左边为 $I$，改用极坐标：

$$
I^2 = \\iint_{\\mathbb{R}^2} e^{-(x^2+y^2)}\\,\\mathrm{d}x\\,\\mathrm{d}y
    = \\int_0^{2\\pi}\\!\\int_0^{\\infty} e^{-r^2} r\\,\\mathrm{d}r\\,\\mathrm{d}\\theta = \\pi .
$$

于是 \\(I = \\sqrt{\\pi}\\)。$\\blacksquare$
`

const ESSAY = `“问渠那得清如许？为有源头活水来。”朱熹写的是一方半亩的池塘，说的却是读书与思考：水之所以清，是因为源头不断有活水流来。

- **源头**：一句话从哪里来，应当说得清楚；
- **活水**：知识会变，答案也要跟着变；
- **清澈**：让人看得见底，而不是用词藻把它搅浑。

> 半亩方塘一鉴开，天光云影共徘徊。
`

const ENGLISH = `## Why clear water needs a living source

A pond stays clear only while fresh water keeps flowing into it. The same holds for knowledge:

1. **Trace it.** Every claim should lead back to where it was found.
2. **Refresh it.** Facts age, so answers must be allowed to change.
3. **Show it plainly.** _Clarity_ is a courtesy to the reader.

| Habit | Cost | Reward |
| --- | ---: | --- |
| Cite | 1 minute | trust |
| Check | 5 minutes | fewer mistakes |

\`\`\`bash
curl -s http://localhost:3000/healthz
\`\`\`

Euler's identity, $e^{i\\pi} + 1 = 0$, needs no ornament.
`

const LONG_CHARS = 30_000

/** Repeats every kind of markdown until the text has `chars` characters. */
function long(chars: number): string {
  let text = ''
  for (let nth = 1; text.length < chars; nth += 1) {
    text += `## 第 ${nth} 节\n\n${[ESSAY, CODE, TABLE, LATEX, ENGLISH].join('\n')}\n`
  }
  return text.slice(0, chars)
}

/** Returns an answer that fits the question: its words choose code, a table, formulas or a long text; else its language. */
export function answerTo(question: string): string {
  const chars = Number(/(\d{2,6})\s*(字|个字符|characters|chars)/i.exec(question)?.[1] ?? 0)
  if (chars) return long(chars)
  if (/长文|很长|详细|long|30,?000/i.test(question)) return long(LONG_CHARS)
  const parts = [
    /代码|编程|函数|排序|python|code|function|typescript/i.test(question) ? CODE : '',
    /表格|比较|对比|table|compare/i.test(question) ? TABLE : '',
    /公式|数学|积分|证明|latex|math|formula/i.test(question) ? LATEX : '',
  ].filter(Boolean)
  if (parts.length) return parts.join('\n')
  return /\p{Script=Han}/u.test(question) ? ESSAY : ENGLISH
}

/** Scripts the answers of the models of bench/models.upstream.json. */
export function scriptFor(question: string, model: string): Script {
  const text = answerTo(question)
  const cumulative = model.includes('farui')
  return {
    text,
    // Each cumulative piece repeats the whole text: many small ones would send hundreds of megabytes.
    chars: cumulative ? Math.max(8, Math.ceil(text.length / 200)) : 4,
    every_ms: model === 'bench-fast' ? 0 : 20,
    cumulative,
    ...(model === 'bench-reasoner'
      ? { reasoning: '先弄清问题问的是什么，再想从哪里说起，最后决定怎样组织答案。' }
      : {}),
  }
}
