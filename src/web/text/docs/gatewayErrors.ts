/** Advice on the errors of the gateway, by status. */
export const gatewayErrorsText: Record<number, string> = {
  400: '按 message 和 param 指出的字段改正请求；内容太长就缩短，或换上下文更长的模型。平台不接受请求时，message、code 和 param 是平台的原话，状态码也可能是 404、413、422。',
  401: '检查密钥是否完整、是否启用、是否过期。',
  402: '充值，或提高这个密钥的额度。再试没有用。',
  403: '在密钥页面放宽允许的模型或来源地址。',
  404: '检查路径与模型 ID；可用的模型见 GET /models。',
  405: '改用应答头 Allow 里的请求方法。',
  410: '换一个新的 Idempotency-Key 重新调用。',
  413: '减小请求体，例如压缩图片。',
  422: '每个新的请求换一个新的 Idempotency-Key。',
  429: '按 Retry-After 等待后再试；rate_limited 还可以提高这个密钥的速率。',
  500: '再试一次；仍然出错请带上 x-request-id 反馈。',
  503: '按 Retry-After 等待后再试，或换一个模型。upstream_rejected 再试没有用。',
  504: '再试一次，或改用流式与后台回答。',
}
