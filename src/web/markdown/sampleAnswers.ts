/** Answers as models write them, for tests of parsing and rendering. */
export const sampleAnswers: Record<string, string> = {
  explanation: `注意力机制的核心思想是：**让模型在处理每个位置时，按相关性读取其他位置的信息。**它由三步组成：

1. 由输入得到查询 $Q$、键 $K$ 与值 $V$；
2. 计算相关性并归一化：

   $$
   \\mathrm{Attention}(Q,K,V)=\\mathrm{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right)V
   $$

3. 按权重求和。

> 提示：在生产环境里，建议同时开启 KV Cache。
> 它会降低首字延迟。

\\[
\\int_0^1 x^2\\,dx = \\frac{1}{3}
\\]

其中 \\(x\\) 是变量，价格是 $5 到 $10。
`,
  code: `下面是一个例子：

\`\`\`python
import torch, math

def attention(q, k, v, mask=None):
    """缩放点积注意力。"""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))

    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return scores.softmax(dim=-1) @ v
\`\`\`

以及 shell：

~~~sh
npm start   # 打开 http://localhost:3000
~~~

    缩进的代码
    第二行

行内代码 \`a | b\` 和\`\`有 \` 的\`\`。
`,
  table: `| 方案 | 复杂度 | 显存占用 |
|:-----|:------:|--------:|
| 标准注意力 | $O(n^2)$ | 12.4 GB |
| 滑动窗口 | $O(nw)$ | 1.8 GB |

结论
----

- [x] 已完成
- [ ] 未完成
  - 嵌套一层

    \`\`\`ts
    const a: number = 1
    \`\`\`
  - 又一层

* 另一个列表

参见 [官方文档][doc]，或 <https://example.com>。

[doc]: https://example.com/doc "文档"

***

最后一段，~~删除~~ *斜体* ***粗斜体***。
`,
  english: `# Heading

Some *emphasis* and a [link](https://example.com/a_(b)).

## Second

Line one  
line two with <br> and <sub>sub</sub>.

<details>
<summary>More</summary>

Hidden **text**.

</details>

1) one

2) two
   continued

Term
===
![chart](https://example.com/chart.png "t")
`,
  notes: `水到渠成[^canal]，见朱熹[^1]与来源 [1]。另见[^none]。

[^1]: 《观书有感》。

    第二段。

[^canal]: 渠，人工水道。

中间的一段，见 https://example.com/渠。再说一句[^1]。

\`\`\`python
if a: '[^1]'
\`\`\`

| 列 | 注 |
|---|---|
| 甲 | 乙[^canal] |

最后 \\(x\\)、$y$是变量。
`,
  meant: `一般需要3~5天，最长7~10天，真的 ~~删除~~。登录：ssh <user>@<host>，返回 Promise<T>，<sub>下标</sub>。
第二行，用 <b> 标签，共**“$5”**元，*斜体：*后文，这是**\`code\`**的说明，它们都在同一行，而且这一行不短，写到这里才结束。

| 方程 | 说明 |
|---|---|
| $rank([A|b]) = 3$ | 有唯一解 |
| \`a || b\` | 或 |

能量：

$$

E = mc^2

$$

结果：
\\[
x
=
y
\\]

\\begin{cases} x + y = 1 \\\\ x - y = 2 \\end{cases}

$$ 是两个美元符号，这里没有公式，只有一句话。

> [!WARNING]
> 备份之前，请**停止写入**。

<details>
<summary>更多 **内容**</summary>

\`\`\`python
print('details')
\`\`\`

- 一
- 二

</details>

\`\`\`markdown
# 标题

\`\`\`bash
npm install
\`\`\`

\`\`\`
src/
\`\`\`

完
\`\`\`

1. 代码：

   \`\`\`python
   def f(x):
       return x + 1  # 注释
   \`\`\`

   之后。

مرحبا بالعالم

以上是全部，**请保存**。
`,
}
