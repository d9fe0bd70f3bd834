/** Every word of the page that asks before it signs out. */
export const logoutText = {
  title: '退出登录？',
  hint: '这个链接会让你在这个浏览器里退出登录。',
  stay: '不退出，返回首页',
}
