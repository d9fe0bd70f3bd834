export const apiText = {
  network: '网络出错了，刷新重试下',
  failed: '服务端响应错误',
}
