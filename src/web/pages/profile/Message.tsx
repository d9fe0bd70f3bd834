import { Bell } from 'lucide-react'
import { usePageUrl } from '#web/core/page.ts'
import { NotificationList, ReleaseList } from '#web/notifications/notifications.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { messagesText as text } from '#web/text/account/notifications.ts'
import { SignInGate } from '#web/ui/SignInGate.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'

/** Shows the person's messages, or with the query `tab=releases` the release notes. */
export default function Message() {
  const tab = usePageUrl().searchParams.get('tab')
  return (
    <AppPage title={text.title}>
      <PageBody title={text.title}>
        <Tabs
          key={tab}
          label={text.title}
          initial={tab === 'releases' ? tab : 'messages'}
          tabs={[
            {
              value: 'messages',
              label: text.title,
              content: (
                <SignInGate icon={<Bell size={28} />} title={text.signIn} description={text.signInHint}>
                  {() => <NotificationList />}
                </SignInGate>
              ),
            },
            { value: 'releases', label: text.releases, content: <ReleaseList /> },
          ]}
        />
      </PageBody>
    </AppPage>
  )
}
