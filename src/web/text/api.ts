export const apiText = {
  network: '网络出错了，刷新重试下',
}
