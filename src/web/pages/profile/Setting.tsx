import { UserRound } from 'lucide-react'
import { useEffect } from 'react'
import { DefaultModelSetting } from '#web/models/DefaultModelSetting.tsx'
import { OwnPrompts } from '#web/conversations/prompts/prompts.ts'
import { AccountData } from '#web/accounts/setting/AccountData.tsx'
import { AppearanceSettings } from '#web/accounts/setting/AppearanceSettings.tsx'
import { ChatSettings } from '#web/accounts/setting/ChatSettings.tsx'
import { ProfileSettings } from '#web/accounts/setting/ProfileSettings.tsx'
import { ProviderSortSetting } from '#web/accounts/setting/ProviderSortSetting.tsx'
import { SettingSection } from '#web/accounts/setting/SettingSection.tsx'
import { SettingsList } from '#web/accounts/setting/SettingsList.tsx'
import { SignedInBrowsers } from '#web/accounts/setting/SignedInBrowsers.tsx'
import { SignInSettings } from '#web/accounts/setting/SignInSettings.tsx'
import { ShareList } from '#web/conversations/shares/shares.ts'
import { scrollToAnchor } from '#web/core/scrollToAnchor.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { promptsText } from '#web/text/prompts.ts'
import { settingText } from '#web/text/setting.ts'
import { sharesText } from '#web/text/shares.ts'
import { SideListPage } from '#web/ui/layout/SideListPage.tsx'
import { SignInGate } from '#web/ui/SignInGate.tsx'

/** Shows all settings of the account. */
export default function Setting() {
  useEffect(scrollToAnchor, [])
  return (
    <AppPage title={settingText.title}>
      <PageBody title={settingText.title}>
        <SignInGate
          icon={<UserRound size={28} />}
          title={settingText.signIn}
          description={settingText.signInHint}
        >
          {(user) => (
            <SideListPage label={settingText.sections} list={<SettingsList />}>
              <ProfileSettings user={user} />
              <AppearanceSettings user={user} />
              <ChatSettings />
              <SettingSection id="models" title={settingText.models}>
                <div className="flex flex-col gap-5">
                  <DefaultModelSetting user={user} />
                  <ProviderSortSetting user={user} />
                </div>
              </SettingSection>
              <SignInSettings user={user} />
              <SignedInBrowsers />
              <SettingSection id="shares" title={sharesText.mine} hint={settingText.sharesHint}>
                <ShareList />
              </SettingSection>
              <SettingSection id="prompts" title={promptsText.ownTitle} hint={settingText.promptsHint}>
                <OwnPrompts />
              </SettingSection>
              <AccountData user={user} />
            </SideListPage>
          )}
        </SignInGate>
      </PageBody>
    </AppPage>
  )
}
