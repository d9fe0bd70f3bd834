import { PageBody } from '../models/PageBody.tsx'
import { ChatSettings } from '../setting/ChatSettings.tsx'
import { Shell } from '../shell/Shell.tsx'
import { settingText } from '../text/setting.ts'

export default function Setting() {
  return (
    <Shell
      title={settingText.title}
      header={<h1 className="px-2 text-[15px] font-medium">{settingText.title}</h1>}
    >
      <PageBody>
        <ChatSettings />
      </PageBody>
    </Shell>
  )
}
