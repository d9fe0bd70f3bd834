import type { NotificationChannel } from '#contract/notifications/notifications.ts'

/** Every word about messages to the person, and about releases. */
export const messagesText = {
  title: '消息',
  bell: '消息',
  bellUnread: (count: number) => `消息，${count} 条未读`,
  unread: '未读消息',
  noUnread: '没有未读消息',
  noUnreadHint: '任务完成、余额不足等消息会出现在这里。',
  more: (count: number) => `还有 ${count} 条，可在消息页查看`,
  markAll: '全部标为已读',
  markFailed: '标为已读失败，请重试',
  marked: '已全部标为已读',
  all: '查看全部消息',
  releases: '更新日志',
  releasesFailed: '更新日志加载失败',
  moreReleases: '更早的更新',
  signIn: '登录后查看消息',
  signInHint: '任务、金币和组织的消息都在这里。',
  failed: '消息加载失败',
  filter: '类别',
  every: '全部',
  channels: { system: '系统', credit: '金币', task: '任务', organization: '组织' } satisfies Record<
    NotificationChannel,
    string
  >,
  empty: '还没有消息',
  emptyHint: '有需要你知道的事情时，会在这里告诉你。',
  isUnread: '未读',
}
