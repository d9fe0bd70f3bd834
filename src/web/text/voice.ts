/** Every word of reading aloud. */
export const voiceText = {
  read: '朗读回答',
  stop: '停止朗读',
  player: '朗读',
  pause: '暂停',
  resume: '继续朗读',
  previous: '上一句',
  next: '下一句',
  position: '朗读位置',
  at: (index: number, count: number) => `${index} / ${count}`,
  waiting: '等待下一句',
  failed: '朗读失败，请重试',
  replyFailed: '设置失败，请重试',
}
