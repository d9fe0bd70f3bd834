import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { stopPlayback } from './player.ts'
export { ReadAloudButton } from './ReadAloudButton.tsx'
export { updateVoiceReply } from './voiceReply.ts'

/** The player of the chat. */
export const VoicePlayer = lazyComponent(() => import('./VoicePlayer.tsx'), { silent: true })
