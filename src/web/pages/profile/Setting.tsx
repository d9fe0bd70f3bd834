import { UserRound } from 'lucide-react'
import { useEffect } from 'react'
import { DefaultModelSetting } from '#web/models/DefaultModelSetting.tsx'
import { OwnPrompts } from '#web/prompts/prompts.ts'
import { AccountData } from '#web/setting/AccountData.tsx'
import { AppearanceSettings } from '#web/setting/AppearanceSettings.tsx'
import { ChatSettings } from '#web/setting/ChatSettings.tsx'
import { ProfileSettings } from '#web/setting/ProfileSettings.tsx'
import { ProviderSortSetting } from '#web/setting/ProviderSortSetting.tsx'
import { SettingSection } from '#web/setting/SettingSection.tsx'
import { SettingsList } from '#web/setting/SettingsList.tsx'
import { SignedInBrowsers } from '#web/setting/SignedInBrowsers.tsx'
import { SignInSettings } from '#web/setting/SignInSettings.tsx'
import { ShareList } from '#web/shares/shares.ts'
import { AppPage } from '#web/shell/AppPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { promptsText } from '#web/text/prompts.ts'
import { settingText } from '#web/text/setting.ts'
import { sharesText } from '#web/text/shares.ts'
import { SideListPage } from '#web/ui/layout/SideListPage.tsx'
import { SignInGate } from '#web/ui/SignInGate.tsx'

/** Shows all settings of the account. */
export default function Setting() {
  // The anchor that the address names exists only after rendering.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])
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
