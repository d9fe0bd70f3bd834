import { lazyComponent } from '#web/ui/lazy/lazyComponent.tsx'

export { stopPlayback } from './player.ts'
export { PlayerBar } from './PlayerBar.tsx'
export { ReadAloudButton } from './ReadAloudButton.tsx'
export { ReadTextButton } from './ReadTextButton.tsx'
export { updateVoiceReply } from './voiceReply.ts'

export const VoicePlayer = lazyComponent(() => import('./VoicePlayer.tsx'), { silent: true })
