const paragraph = (i: number) =>
  `第 ${i} 节：注意力机制按**相关性**读取其他位置的信息，其复杂度为 $O(n^2 d)$，其中 $n$ 是序列长度。` +
  '在工程上，*分块*与 `KV Cache` 可以把显存占用从平方降到线性，参见 [论文](https://arxiv.org/abs/1706.03762)。\n\n'

const code = (i: number) => `\`\`\`python
import torch, math

def attention_${i}(q, k, v, mask=None):
    """缩放点积注意力，返回（输出，权重）。"""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
\`\`\`

`

const table = `| 方案 | 复杂度 | 显存占用 | 适用场景 |
|:-----|:------:|--------:|:-----|
| 标准注意力 | $O(n^2)$ | 12.4 GB | 短文本、精度优先 |
| FlashAttention | $O(n^2)$ | 3.1 GB | 训练与长上下文推理 |
| 滑动窗口 | $O(nw)$ | 1.8 GB | 超长文档、流式场景 |

`

const formula = String.raw`$$
\mathrm{Attention}(Q,K,V)=\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d_k}}\right)V
$$

`

const list = `1. 读入序列，得到 $Q$、$K$、$V$；
2. 计算相关性：
   - 点积
   - 缩放
3. 归一化并加权求和。

> 提示：在生产环境里，建议同时开启 KV Cache 与分组查询注意力。

`

/** Generates an answer of about `chars` characters with text, code, tables, formulas and lists, as a model would write it. */
export function generateAnswer(chars: number): string {
  let text = ''
  for (let i = 1; text.length < chars; i++) {
    text += `## 第 ${i} 部分\n\n${paragraph(i)}${[code(i), table, formula, list][i % 4]}${paragraph(i + 1)}`
  }
  return text.slice(0, chars)
}

/** An answer of an ordinary conversation: a few paragraphs with code and formulas, to a short question. */
export const shortAnswer = (i: number): string =>
  paragraph(i) + [code(i), '', formula, list, '', table][i % 6]
