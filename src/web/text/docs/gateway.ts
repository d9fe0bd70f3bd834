/** The gateway's guide for programmers. */
export const gatewayText = {
  title: '网关使用指南',
  lead: '从自己的程序调用这里的全部模型。接口兼容 OpenAI 与 Anthropic，现成的 SDK 和软件改一个地址就能用。',
  keys: '创建密钥',
  models: '查看模型与价格',

  startTitle: '地址与鉴权',
  addresses: (origin: string) => [
    { label: 'Base URL', value: `${origin}/api/v1`, note: 'OpenAI 的 SDK 与本页的示例' },
    { label: 'Anthropic SDK', value: `${origin}/api`, note: '以及 Claude Code、Cohere 的 SDK' },
  ],
  start: [
    '每个请求都带上请求头 Authorization: Bearer YOUR_API_KEY。密钥在“密钥”页面创建，完整的值只显示一次；不要把它写进网页或公开的代码里。',
    'Anthropic 的 SDK 与 Claude Code 会自己在地址后面补上 /v1/messages，所以它们的地址不带 /v1。',
    'Codex CLI 用 /responses：在它的 config.toml 里加一个 model_provider，base_url 填上面的 Base URL，wire_api = "responses"，env_key 填放密钥的环境变量名。Claude Code 设置 ANTHROPIC_BASE_URL 与 ANTHROPIC_API_KEY，并用 ANTHROPIC_MODEL 选一个这里的模型。',
    '由程序自己运行的工具（function、custom、namespace）所有模型都能调用；由平台运行的（web_search、image_generation、mcp 等）这里不提供：tool_choice 是 auto 时略去，并写在应答头 x-dropped-tools 里，指定要用时应答 400。',
    '浏览器里的脚本也可以直接调用：任何来源都允许（CORS），不带 Cookie，密钥由使用者自己填写。',
    '管理密钥（pk-wq- 开头）只用来管理其他密钥，不能调用模型。',
    '请求与应答的字段和 OpenAI 一致。每个应答都带 x-request-id，反馈问题时请附上。',
    '转给平台的是接口文档里的字段，以及个别平台自己的字段（如 DeepSeek、智谱的 thinking）；其他字段，尤其是会改变价格、模型或去向的（service_tier、models、api_base 等），写了不报错，也不生效。',
    '接口不提供联网搜索：/chat/completions 写 "enable_search": true 会得到 400（tool_unavailable），而不是一个没有搜索过的回答。',
    '图片、PDF（file、input_file、document）和音频（input_audio）只有部分模型能读：看模型的能力 vision、files、audio；其他模型会得到 400 与可以换用的模型。文本文件会作为文字交给任何模型。',
    'n 大于 1 时一次得到多个回答，只有能力里有 choices 的模型可以；冻结的金币按每个回答的最大长度合计。reasoning_effort 可以写到 xhigh、max，平台不认识时按它认识的最高一档。',
    '示例里的模型 ID 可以换成模型广场里同一类型的任何一个。',
  ],

  callsTitle: '接口',

  streamTitle: '流式应答',
  stream: [
    '请求里写 "stream": true，应答就是事件流（text/event-stream）：每个事件一行 data: 加 JSON，内容在 choices[0].delta 里，最后一个事件是 data: [DONE]。',
    '没有收到 [DONE] 就结束的流不完整：出错时会先收到一个带 error 的事件，然后流结束。',
    '写 "stream_options": {"include_usage": true}，[DONE] 之前会多一个只有 usage 的事件。',
    '/messages 与 /responses 的事件是它们各自协议的样子。平台很久没有内容时会收到以冒号开头的注释行，忽略即可。',
  ],
  streamExample: 'data: {"choices":[{"index":0,"delta":{"content":"你"},"finish_reason":null}], …}',

  backgroundTitle: '后台回答与对话记忆',
  background: [
    '写 "background": true，应答立即返回，status 是 pending；之后用返回的 id 请求 GET /chat/{id} 取结果。离开不影响回答，结果保留 7 天，只有提问的密钥取得到。',
    'GET /chat/{id} 的 status：pending 还在回答，completed 已完成（带完整应答），failed 出错（带 error），cancelled 已取消，interrupted 因服务重启而中断。',
    '/responses 默认保存每次的输入与输出 30 天（每个密钥最多约 5 亿字符，超出时先删最早的），只属于提问的密钥：previous_response_id 接着说，item_reference 引用其中一项，GET /responses/{id} 取回，DELETE 立即删除，background 在后台回答。接着说的内容也是输入的一部分，同样计费。写 "store": false 就什么都不保存；单次输入超过 800 万字符的也不保存，应答里 store 是 false。',
    '写 "sess_id": "任意名字"，网关会记住这个会话：每次只需要发送新的消息，之前的问答会按模型的上下文长度尽量带上。记住的内容也是输入的一部分，同样计费；7 天不用就会忘记。',
  ],

  errorsTitle: '错误',
  errorsLead:
    '出错时应答 {"error": {"message", "type", "param", "code"}}：message 是给人看的中文，code 是给程序判断的稳定代码。',
  statusColumn: '状态码',
  codeColumn: 'code 与含义',
  adviceColumn: '怎么办',

  retryTitle: '重试与 Idempotency-Key',
  retry: [
    '429 与 503 带有 Retry-After（秒），等这么久再试；带有 x-should-retry: false 的应答再试也没有用。OpenAI 与 Anthropic 的 SDK 会自己照做。',
    '平台在出字之前失败，网关会自动换一个能用的平台，失败的尝试不收费。请求里的 "retries"（0 到 10）是失败过的平台还可以再问几次，默认 0；"provider_sort"（price、throughput、latency）决定先用哪个平台。',
    '会花钱的请求可以带请求头 Idempotency-Key（1 到 255 个可见的 ASCII 字符，每个请求一个新值）。网络断了用同一个值再发一次，得到的是同一个回答，只收一次费；保留一天。同一个值配上不同的内容会得到 422。',
    '带了 Idempotency-Key 的回答，客户端离开也会写完；没有带的，离开即停止，按已产生的内容收费；什么也没收到就离开的，一分钟内用同一个密钥再发同样的请求，得到的还是那次的回答。',
  ],

  ratesTitle: '速率与限制',
  rates: [
    '同时进行的请求过多时得到 429（too_many_calls）或 503（overloaded）与 Retry-After：一个账户最多占本站容量的四分之一，一个来源地址最多一半。请求体 10 秒没有进展、应答 60 秒没人接收，连接会被关闭。',
    '每个密钥可以设置每分钟请求数和每分钟 Token 数，超过时得到 429 与 Retry-After；没有设置就不限。',
    '设置了速率的密钥，应答头会说明还剩多少：x-ratelimit-limit-requests、x-ratelimit-remaining-requests、x-ratelimit-reset-requests，以及 Token 的同样三个；对 Anthropic 的客户端是 anthropic-ratelimit-requests-limit 等。',
    '还可以限定额度、模型和来源地址，并随时停用：改动从下一个请求起生效。',
    'JSON 请求体最大 32 MB，可以用 gzip 压缩（Content-Encoding: gzip），按解压后的大小计算。',
  ],

  widgetTitle: '嵌入网站',
  widgetLead:
    '公开的智能体可以放进你自己的网站：访客不用登录就能提问，回答只依据智能体的资料。在与智能体对话的页面，从右上角的菜单打开“嵌入网站”，复制一行代码即可。',
  widgetExample: (origin: string) =>
    `<script src="${origin}/widget.js" data-agent="智能体编号" async></script>`,
  widget: [
    '网页右下角会出现一个圆形按钮，第一次打开时才载入对话；跟随访客系统的深浅色，手机上占满屏幕。',
    '只有列出的网站能显示它，最多 20 个，写成 https://www.example.com 的样子；子域名、端口和 http 要分别列出。',
    '费用由智能体的所有者支付，每天最多花费设定的金币，第二天（北京时间）恢复。没有成功的回答不收费；账单的渠道记为 widget。',
    '每位访客每分钟最多 10 问、每天 50 问，同一个网络地址每分钟 40 问、每天 200 问；一个问题最多 4,000 字。',
    '访客的对话保存在访客自己的浏览器里，换一个网站就是另一位访客；7 天不来就会忘记。',
    '访客能看到资料中被引用的段落，前提是智能体开启了“显示来源”；不能上传文件、换模型或看到费用。',
    '网站设置了 Content-Security-Policy 的，在 script-src 和 frame-src 里加上本站的地址；不需要允许内联样式或内联脚本。',
  ],

  unitsTitle: '计费单位',
  unitsLead:
    '单位是金币，100 金币等于 1 元。应答的 usage.billed_units 是计费的数量；每个模型的价格在模型广场，何时收费见计费规则。对话的 prompt_tokens_details 与 completion_tokens_details 写明其中文字、音频、图片和思考各多少，加起来就是总数；cached_tokens 是输入里命中缓存的部分。',
  unitsTypeColumn: '类型',
  unitsColumn: '按什么计费',
  units: [
    {
      type: '对话（chat/completions、messages、responses）',
      unit: '输入、命中缓存、写入缓存、输出和思考的 Token，各有单价',
    },
    { type: '向量（embeddings）', unit: '输入的 Token' },
    { type: '重排（rerank）', unit: '问题与文档的 Token' },
    { type: '图片（images/generations）', unit: '图片的张数' },
    { type: '语音合成（audio/speech）', unit: '文字的字符数' },
    { type: '语音识别（audio/transcriptions）', unit: '音频的时长' },
  ],
  bill: '用管理密钥请求 GET /api/chat/transaction/{id}，可以查到一次调用的账单。',
}
