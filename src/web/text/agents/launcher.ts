/** Every word of the button that an agent's widget puts on other sites; apart from the others, so that its script has no more. */
export const launcherText = { open: '打开问答', close: '关闭问答', panel: '问答' }
