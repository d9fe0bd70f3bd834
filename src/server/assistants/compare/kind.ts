import type { QuestionKind } from '#contract/compare-limits.ts'

/** Tried in this order: a request to translate code is about translation. */
const PATTERNS: readonly (readonly [QuestionKind, RegExp])[] = [
  [
    'translation',
    /翻译|译成|译为|译作|(?:用|换成|写成)(?:英|日|法|德|俄|韩)[文语](?:怎么|如何)|\btranslat(?:e|ion|ing)\b/i,
  ],
  [
    'code',
    /```|代码|编程|程序|函数|报错|正则|接口文档|数据库|算法|脚本|\b(?:SQL|Python|Java|JavaScript|TypeScript|Rust|Golang|HTML|CSS|React|Vue|Linux|Docker|API|regex|function|class|bug|debug|stack ?trace|exception|compile)\b|\bC\+\+|(?:^|\n)\s*(?:def |import |const |public |#include)/i,
  ],
  [
    'math',
    /计算|求解|方程|证明|概率|积分|求导|导数|微分|矩阵|几何|推理|逻辑题|\d\s*[×÷+*^=]\s*\d|\\(?:frac|int|sum|sqrt)|\b(?:solve|calculate|prove|equation|integral|probability)\b/i,
  ],
  [
    'writing',
    /写(?:一|篇|封|首|个|段|份|出|作|成|得)|撰写|作文|改写|润色|扩写|续写|缩写|仿写|文案|起个?(?:名|标题)|大纲|诗|小说|故事|邮件|演讲稿|总结(?:报告)?|\b(?:write|draft|rewrite|polish|essay|poem|story|email)\b/i,
  ],
  [
    'knowledge',
    /什么|为什么|为何|是谁|谁是|哪[里个些年]|怎[么样]|如何|多少|几[个年月天]|吗[?？]?\s*$|介绍|解释|区别|原理|历史|意思|\b(?:what|who|when|where|why|which|how|explain)\b/i,
  ],
]
/** Characters read at each end of a question: the request is at one of them. */
const READ_CHARS = 2_000

/** Classifies a question by rules; the person can correct it. */
export function classifyQuestion({ text, block, content_type }: QuestionLike): QuestionKind {
  const documents = (block ? block.split(',') : []).length - (content_type === 'audio' ? 1 : 0)
  if (documents > 0) return 'document'
  const excerpt = text.length > 2 * READ_CHARS ? text.slice(0, READ_CHARS) + text.slice(-READ_CHARS) : text
  return PATTERNS.find(([, pattern]) => pattern.test(excerpt))?.[0] ?? 'other'
}

type QuestionLike = { text: string; block: string | null; content_type: 'text' | 'audio' }
