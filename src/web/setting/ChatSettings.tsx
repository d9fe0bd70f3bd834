import { UserRound } from 'lucide-react'
import { settingText } from '#web/text/setting.ts'
import { QueryView } from '#web/ui/QueryView.tsx'
import { SignInGate } from '#web/ui/SignInGate.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { AccountData } from './AccountData.tsx'
import { ChatSettingForm } from './ChatSettingForm.tsx'
import { ProfileSettings } from './ProfileSettings.tsx'
import { ProviderSortSetting } from './ProviderSortSetting.tsx'
import { SignedInBrowsers } from './SignedInBrowsers.tsx'
import { SignInSettings } from './SignInSettings.tsx'
import { useChatSetting } from './chatSetting.ts'

/** The settings about the person, conversations and models, for those who are signed in. */
export const ChatSettings = () => (
  <SignInGate icon={<UserRound size={28} />} title={settingText.signIn} description={settingText.signInHint}>
    {(user) => (
      <>
        <ProfileSettings user={user} />
        <ChatSettingSection />
        <ProviderSortSetting user={user} />
        <SignInSettings user={user} />
        <SignedInBrowsers />
        <AccountData user={user} />
      </>
    )}
  </SignInGate>
)

function ChatSettingSection() {
  const query = useChatSetting()
  return (
    <section className="max-w-2xl">
      <h2 className="text-base font-semibold">{settingText.chat}</h2>
      <p className="mt-1.5 text-pretty text-ink2">{settingText.chatHint}</p>
      <QueryView query={query} failed={settingText.failed} skeleton={<FormSkeleton />}>
        {(setting) => <ChatSettingForm initial={setting} />}
      </QueryView>
    </section>
  )
}

const FormSkeleton = () => (
  <div className="mt-5 flex flex-col gap-4">
    <Skeleton className="h-5 w-40" />
    <Skeleton className="h-28" />
    <Skeleton className="h-28" />
  </div>
)
