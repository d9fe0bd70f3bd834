import { getContentText } from '../../chat-request.ts'
import type { ChatRequest } from '../../chat-request.ts'
import { parseMaterial, quoteMaterial } from './quote-material.ts'

const GREETING = /^(你好|您好|嗨|哈喽|早上好|中午好|下午好|晚上好|在吗|hi\b|hello\b|hey\b)/i
const QUOTED_CHARS = 60

/** A question as the answer repeats it: one line, shortened, unable to become markup. */
function quote(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim()
  const characters = Array.from(line)
  const short = characters.length > QUOTED_CHARS ? `${characters.slice(0, QUOTED_CHARS).join('')}……` : line
  return short.replace(/[\\`*_{}[\]()<>#+!|$~-]/g, '\\$&')
}

const SETUP_GUIDE = `### 接入真实模型

任选一种方式，接入后重启服务，新的对话就会由真实模型回答：

| 方式 | 怎么做 |
| --- | --- |
| DeepSeek | \`DEEPSEEK_API_KEY=你的密钥 npm start\` |
| 通义千问 | \`DASHSCOPE_API_KEY=你的密钥 npm start\` |
| Ollama（本机） | 启动 Ollama 并运行 \`ollama pull qwen3\`，一分钟内自动发现，无需重启 |
| 其他平台 | 用 \`MODELS_FILE\` 指向自己的模型文件 |

任何兼容 OpenAI 接口的服务都可以写进模型文件，修改后自动生效：

\`\`\`json
{
  "platforms": [
    { "name": "mine", "alias": "我的平台", "dialect": "openai", "base_url": "http://127.0.0.1:8000/v1" }
  ],
  "models": [
    {
      "id": "my-model", "name": "我的模型", "type": "chat",
      "offers": [{ "platform": "mine", "model": "my-model", "input": 0, "output": 0 }]
    }
  ]
}
\`\`\`
`

/**
 * The whole answer of the local model, which takes the place of a request to a platform: markdown, Chinese, and never a
 * pretended answer.
 */
export function buildLocalAnswer({ messages }: ChatRequest): string {
  const question = getContentText(messages.findLast(({ role }) => role === 'user')?.content ?? '')
  const material = parseMaterial(question)
  if (material) return quoteMaterial(material)
  const opening = GREETING.test(question.trim())
    ? '你好！很高兴见到你。'
    : `我收到了你的问题：\n\n> ${quote(question)}\n\n不过我无法真正回答它。`
  return `${opening}

我是**本地演示模型**，随问渠一起运行在这台服务器上。我不是大语言模型：不联网，不推理，也不收取金币，只用来让你在没有任何密钥时看到对话是怎样进行的。提问、流式回答、停止、重新生成和会话记录都是真实的功能。

${SETUP_GUIDE}
接入之后，把刚才的问题再发一次就好。`
}
