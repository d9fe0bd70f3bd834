import { PageBody } from '#web/shell/PageBody.tsx'
import { ChatSettings } from '../setting/ChatSettings.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { settingText } from '../text/setting.ts'

export default function Setting() {
  return (
    <AppPage
      title={settingText.title}
      header={<h1 className="px-2 text-reading font-medium">{settingText.title}</h1>}
    >
      <PageBody>
        <ChatSettings />
      </PageBody>
    </AppPage>
  )
}
