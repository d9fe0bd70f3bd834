/** Every word of the button that an agent's widget puts on other sites; in its own file to keep the script small. */
export const launcherText = { open: '打开问答', close: '关闭问答', panel: '问答' }
