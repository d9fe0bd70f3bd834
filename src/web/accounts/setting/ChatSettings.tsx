import { settingText } from '#web/text/setting.ts'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ChatSettingForm } from './ChatSettingForm.tsx'
import { SettingSection } from './SettingSection.tsx'
import { useChatSetting } from './chatSetting.ts'

/** The personal facts that every conversation starts with. */
export function ChatSettings() {
  const query = useChatSetting()
  return (
    <SettingSection id="chat" title={settingText.chat} hint={settingText.chatHint}>
      <QueryView query={query} failed={settingText.failed} skeleton={<FormSkeleton />}>
        {(setting) => <ChatSettingForm initial={setting} />}
      </QueryView>
    </SettingSection>
  )
}

const FormSkeleton = () => (
  <div className="flex flex-col gap-4">
    <Skeleton className="h-5 w-40" />
    <Skeleton className="h-28" />
    <Skeleton className="h-28" />
  </div>
)
