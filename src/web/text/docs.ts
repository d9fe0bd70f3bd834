export const docsText = {
  /** Names of the groups of calls; one without a name here shows its tag. */
  groups: {
    auth: '登录',
    users: '用户',
    chat: '对话',
    models: '模型',
    stats: '公开数据',
    keys: '密钥',
    provision_keys: '系统 Key',
  } as Record<string, string>,
  title: '接口文档',
  lead: '问渠网页所用的全部接口。请求与应答都是 JSON，字段名与本页一致；出错时应答 {message, code, request_id}。',
  gatewayLead: '从程序调用模型，请看',
  gateway: '网关使用指南',
  schemes: '鉴权方式',
  schemeNames: { session: '登录状态（Cookie）', provision_key: '系统 Key（Bearer）' } as Record<
    string,
    string
  >,
  callers: (ways: string[] | 'anyone'): string =>
    ways === 'anyone'
      ? '任何人可调用'
      : `需要：${ways.map((way) => docsText.schemeNames[way] ?? way).join(' 或 ')}`,
  search: '搜索接口',
  searchHint: '路径、说明或字段名',
  contents: '目录',
  count: (shown: number) => `${shown} 个接口`,
  none: '没有匹配的接口',
  noneHint: '换一个路径、说明或字段名试试。',
  failed: '接口文档没有载入',
  retry: '重试',
  link: (name: string) => `到“${name}”的链接`,
  pathParameters: '路径参数',
  queryParameters: '查询参数',
  body: '请求体',
  response: '应答',
  noContent: '没有应答体',
  stream: '事件流（text/event-stream）',
  errors: '错误',
  example: '示例',
  copy: '复制',
  field: '字段',
  type: '类型',
  required: '必填',
  optional: '可选',
  fallback: '默认',
  note: '说明',
  status: '状态码',
  message: '消息',
  json: 'JSON',
  document: 'OpenAPI 文件',
}

export const outboxText = {
  title: '发件箱',
  lead: '开发环境发出的邮件与短信都留在这里，不会真正寄出。',
  refresh: '刷新',
  empty: '还没有消息',
  emptyHint: '在登录页获取一次验证码，消息就会出现在这里。',
  toLogin: '去登录页',
  copyCode: (code: string) => `复制验证码 ${code}`,
  channels: { email: '邮件', sms: '短信' } as Record<string, string>,
}
