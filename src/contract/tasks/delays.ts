/** Messages in place of a task's state while it waits for another try, by the code of the failure before. */
export const delayMessages = {
  storage_unavailable: '存储暂时不可用，稍后自动重试',
  document_gone: '暂时找不到这个文件，稍后自动重试',
  document_interrupted: '读取被中断，稍后自动重试',
  document_timeout: '读取超时，稍后自动重试',
  unavailable: '服务暂时不可用，稍后自动重试',
  overloaded: '服务繁忙，稍后自动重试',
  too_many_calls: '同时进行的请求太多，稍后自动重试',
  upstream_refused: '暂时连不上模型服务，稍后自动重试',
  upstream_failed: '模型服务暂时出错，稍后自动重试',
  upstream_rate_limited: '模型服务请求过多，稍后自动重试',
  upstream_overloaded: '模型服务繁忙，稍后自动重试',
  upstream_timeout: '模型服务响应超时，稍后自动重试',
  upstream_cut: '模型服务中途断开，稍后自动重试',
  interrupted: '服务刚刚重启，稍后自动重试',
} as const
