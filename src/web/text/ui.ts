export const uiText = {
  close: '关闭',
  confirm: '确定',
  cancel: '取消',
  retry: '重试',
  save: '保存',
  signIn: '登录',
  dismiss: '关闭提示',
  notices: '提示',
  loadFailed: '没能加载，请检查网络后重试',
  copied: '已复制',
  copyFailed: '复制失败，请手动复制',
  copyUnsupported: '你的浏览器不支持此复制功能请手动复制!',
}
