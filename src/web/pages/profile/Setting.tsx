import { PageBody } from '#web/shell/PageBody.tsx'
import { ChatSettings } from '#web/setting/ChatSettings.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { settingText } from '#web/text/setting.ts'

export default function Setting() {
  return (
    <AppPage title={settingText.title}>
      <PageBody title={settingText.title}>
        <ChatSettings />
      </PageBody>
    </AppPage>
  )
}
